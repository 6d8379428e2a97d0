#include "core/objective/soft_gains.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::objective {
namespace {

// Documents that are processed together.
constexpr std::size_t kWide = 8;
// Terms below exp(-41.5) < 1e-18 are left out.
constexpr double kReach = 41.5;

struct Sums {
  double e = 0.0;
  double z = 0.0;  // sum of e_i z_i
};

// e_i = exp(-(own - v_i)^2 scale), and their sums.
RANKMIX_INLINE Sums find_column(const double* v, const double* z, double own,
                                double scale, std::size_t begin, std::size_t end,
                                double* e) {
  double e_sum[kWide] = {};
  double z_sum[kWide] = {};
  for (std::size_t i = begin; i < end; i += kWide) {
    double x[kWide];
    double near[kWide];  // 1, or 0 if out of reach
    for (std::size_t k = 0; k < kWide; ++k) {
      const double d = own - v[i + k];
      const double far = d * d * scale;
      x[k] = far < kReach ? -far : -kReach;
      near[k] = far < kReach ? 1.0 : 0.0;
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      x[k] = exp_not_positive(x[k]) * near[k];
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      e_sum[k] += x[k];
      z_sum[k] += x[k] * z[i + k];
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      e[i + k] = x[k];
    }
  }
  return {sum_lanes<kWide>(e_sum), sum_lanes<kWide>(z_sum)};
}

// The contribution of a column: the sum of its T, and the sum of |T|.
struct Added {
  double gradient = 0.0;
  double curve = 0.0;
};

RANKMIX_INLINE Added add_terms(const double* v, const double* z, const double* e,
                               double own, double mean, double weight, std::size_t begin,
                               std::size_t end, double* gradients, double* curves) {
  double gradient[kWide] = {};
  double curve[kWide] = {};
  for (std::size_t i = begin; i < end; i += kWide) {
    // Local arrays, because the pointers might alias.
    double term[kWide];
    double size[kWide];
    for (std::size_t k = 0; k < kWide; ++k) {
      term[k] = weight * (z[i + k] - mean) * e[i + k] * (v[i + k] - own);
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      size[k] = std::abs(term[k]);
      gradient[k] += term[k];
      curve[k] += size[k];
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      gradients[i + k] += term[k];
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      curves[i + k] += size[k];
    }
  }
  return {sum_lanes<kWide>(gradient), sum_lanes<kWide>(curve)};
}

Sums column_plain(const double* v, const double* z, double own, double scale,
                  std::size_t begin, std::size_t end, double* e) {
  return find_column(v, z, own, scale, begin, end, e);
}
RANKMIX_AVX2 Sums column_avx2(const double* v, const double* z, double own, double scale,
                              std::size_t begin, std::size_t end, double* e) {
  return find_column(v, z, own, scale, begin, end, e);
}
Added terms_plain(const double* v, const double* z, const double* e, double own,
                  double mean, double weight, std::size_t begin, std::size_t end,
                  double* gradients, double* curves) {
  return add_terms(v, z, e, own, mean, weight, begin, end, gradients, curves);
}
RANKMIX_AVX2 Added terms_avx2(const double* v, const double* z, const double* e,
                              double own, double mean, double weight, std::size_t begin,
                              std::size_t end, double* gradients, double* curves) {
  return add_terms(v, z, e, own, mean, weight, begin, end, gradients, curves);
}

}  // namespace

// The e(i, r) for all ranks r of one score: documents of the same score share a column.
struct SoftGains::Column {
  std::size_t first;  // first rank of that score
  std::size_t last;   // one past its last rank
  Sums sums;
  double mean() const { return sums.z / sums.e; }
};

SoftGains::SoftGains(double sigma, TiedRanks tied)
    : sigma_(sigma),
      width_(std::sqrt(sigma)),
      reach_(std::sqrt(kReach * sigma)),
      tied_(tied) {
  if (!(sigma > 0.0) || !std::isfinite(sigma)) {
    throw InvalidArgument("sigma must be positive");
  }
}

void SoftGains::set_query(View<const double> scores, View<const double> gains) {
  n_ = scores.size();
  const std::size_t padded = (n_ + kWide - 1) / kWide * kWide;
  // Padding is out of reach of all documents and has gain 0. From a large score, a short
  // reach would be lost by rounding.
  const double lowest = scores[n_ - 1];
  const double away = std::max(std::numeric_limits<double>::lowest(),
                               lowest - std::max(100.0 * reach_, std::abs(lowest)));
  v_.assign(padded, away);
  z_.assign(padded, 0.0);
  std::copy(scores.begin(), scores.end(), v_.begin());
  std::copy(gains.begin(), gains.end(), z_.begin());
  e_.resize(padded);
}

SoftGains::Column SoftGains::column_of(std::size_t rank) {
  if (rank == 0) {
    begin_ = 0;
    end_ = 0;
  }
  const double own = v_[rank];
  while (v_[begin_] > own + reach_) {
    ++begin_;
  }
  while (end_ < n_ && v_[end_] >= own - reach_) {
    ++end_;
  }
  std::size_t last = rank + 1;
  while (last < n_ && v_[last] == own) {
    ++last;
  }
  const auto find = has_avx2() ? column_avx2 : column_plain;
  return {rank, last,
          find(v_.data(), z_.data(), own, 1.0 / sigma_, begin_ / kWide * kWide,
               (end_ + kWide - 1) / kWide * kWide, e_.data())};
}

View<const double> SoftGains::find(std::size_t ranks) {
  q_.resize(ranks);
  for (std::size_t r = 0; r < ranks;) {
    const Column column = column_of(r);
    for (; r < std::min(column.last, ranks); ++r) {
      q_[r] = column.mean();
    }
  }
  return q_;
}

// Adds the terms of a column to sums_ and curves_.
void SoftGains::add_column(const Column& column, double factor,
                           View<const double> factors) {
  const auto add = has_avx2() ? terms_avx2 : terms_plain;
  const Added added =
      add(v_.data(), z_.data(), e_.data(), v_[column.first], column.mean(),
          factor / column.sums.e, begin_ / kWide * kWide,
          (end_ + kWide - 1) / kWide * kWide, sums_.data(), curves_.data());
  for (std::size_t r = column.first; r < column.last; ++r) {
    const double fraction = tied_ == TiedRanks::kShared
                                ? 1.0 / static_cast<double>(column.last - column.first)
                            : r < factors.size() ? factors[r] / factor
                                                 : 0.0;
    sums_[r] -= fraction * added.gradient;
    curves_[r] += fraction * added.curve;
  }
}

double SoftGains::evaluate(View<const double> factors, View<double> gradients,
                           View<double> hessians) {
  sums_.assign(v_.size(), 0.0);
  curves_.assign(v_.size(), 0.0);
  double value = 0.0;
  for (std::size_t r = 0; r < factors.size();) {
    const Column column = column_of(r);
    double factor = 0.0;
    for (; r < std::min(column.last, factors.size()); ++r) {
      factor += factors[r];
    }
    if (factor != 0.0) {
      value += factor * column.mean();
      if (!gradients.empty()) {
        add_column(column, factor, factors);
      }
    }
  }
  const double scale = 2.0 / sigma_;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    gradients[i] = -scale * sums_[i];
  }
  for (std::size_t i = 0; i < hessians.size(); ++i) {
    hessians[i] = scale * curves_[i] / width_;
  }
  return value;
}

}  // namespace rankmix::objective
