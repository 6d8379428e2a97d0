#include "core/boost/lane_systems.h"

#include <algorithm>
#include <cmath>

#include "core/base/simd.h"

namespace rankmix::boost {
namespace {

// sum -= sum over k < count of row[k] * other[k], lane by lane.
RANKMIX_INLINE void take_products(const double* row, const double* other,
                                  std::size_t count, double* sum) {
  // Processes half of the lanes at a time, so that the sums stay in registers.
  for (std::size_t half = 0; half < kLanes; half += kLanes / 2) {
    double sums[kLanes / 2];
    for (std::size_t l = 0; l < kLanes / 2; ++l) {
      sums[l] = sum[half + l];
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < kLanes / 2; ++l) {
        sums[l] -= row[k * kLanes + half + l] * other[k * kLanes + half + l];
      }
    }
    for (std::size_t l = 0; l < kLanes / 2; ++l) {
      sum[half + l] = sums[l];
    }
  }
}

// Factors the matrices in place, with the reciprocal diagonal, solves for the right
// sides, and sums their squares.
RANKMIX_INLINE void score_lanes(std::size_t size, double ridge, double* matrix,
                                double* right, double* scores) {
  double ridges[kLanes] = {};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      ridges[l] += matrix[lower_at(i, i) * kLanes + l];
    }
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    const double r = ridge * ridges[l] / static_cast<double>(size);
    ridges[l] = r > 0.0 ? r : 1.0;  // without edges v is 0
    scores[l] = 0.0;
  }
  for (std::size_t i = 0; i <= size; ++i) {
    double* row = i < size ? matrix + lower_at(i, 0) * kLanes : right;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = matrix + lower_at(j, 0) * kLanes;
      double* sum = row + j * kLanes;
      take_products(row, other, j, sum);
      for (std::size_t l = 0; l < kLanes; ++l) {
        sum[l] *= other[j * kLanes + l];
      }
    }
    if (i < size) {
      double* pivot = row + i * kLanes;
      for (std::size_t l = 0; l < kLanes; ++l) {
        pivot[l] += ridges[l];
      }
      take_products(row, row, i, pivot);
      for (std::size_t l = 0; l < kLanes; ++l) {
        pivot[l] = 1.0 / std::sqrt(pivot[l] > ridges[l] ? pivot[l] : ridges[l]);
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      scores[l] += right[i * kLanes + l] * right[i * kLanes + l];
    }
  }
}

void score_plain(std::size_t size, double ridge, double* matrix, double* right,
                 double* scores) {
  score_lanes(size, ridge, matrix, right, scores);
}
RANKMIX_AVX2 void score_avx2(std::size_t size, double ridge, double* matrix,
                             double* right, double* scores) {
  score_lanes(size, ridge, matrix, right, scores);
}

}  // namespace

void LaneSystems::reset(std::size_t size, std::size_t systems) {
  const std::size_t batches = (systems + kLanes - 1) / kLanes;
  size_ = size;
  systems_ = systems;
  stride_ = lower_at(size, 0) * kLanes;
  matrices_.assign(batches * stride_, 0.0);
  rights_.assign(batches * size * kLanes, 0.0);
}

void LaneSystems::scores(double ridge, std::vector<double>& scores) {
  const std::size_t batches = (systems_ + kLanes - 1) / kLanes;
  scores.resize(batches * kLanes);
  for (std::size_t b = 0; b < batches; ++b) {
    (has_avx2() ? score_avx2 : score_plain)(size_, ridge, matrices_.data() + b * stride_,
                                            rights_.data() + b * size_ * kLanes,
                                            scores.data() + b * kLanes);
  }
  scores.resize(systems_);
}

}  // namespace rankmix::boost
