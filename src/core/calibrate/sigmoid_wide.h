// The sigmoid probabilities of kSigmoidWide documents at once, for SIMD.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/exp.h"
#include "core/base/log.h"
#include "core/base/simd.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

// Number of documents. In all arrays the numbers of one grade are consecutive: element l
// * kSigmoidWide + j belongs to grade l of document j.
constexpr std::size_t kSigmoidWide = 16;

struct WideSigmoid {
  explicit WideSigmoid(std::size_t classes)
      : grades(classes),
        x(kSigmoidWide * classes),
        p(x.size()),
        log_p(x.size()),
        rest(x.size()),
        whole(x.size()),
        gradients(x.size()) {}

  std::size_t grades;
  std::vector<double> x;          // discriminants
  std::vector<double> p;          // probabilities
  std::vector<double> log_p;      // log p_l, set by find_probabilities<true>() only
  std::vector<double> rest;       // 1 - s(f_l)
  std::vector<double> whole;      // 1 + exp(-|a (f_l - b)|)
  std::vector<double> gradients;  // derivatives of the loss by log p_l
};

// Loads rows [first, first + count). If count < kSigmoidWide, the last row fills the
// other positions.
inline void take_documents(MatrixView<const double> f, std::size_t first,
                           std::size_t count, WideSigmoid& wide) {
  for (std::size_t l = 0; l < wide.grades; ++l) {
    const double* column = f.col(l) + first;
    double* to = wide.x.data() + l * kSigmoidWide;
    for (std::size_t j = 0; j < kSigmoidWide; ++j) {
      to[j] = column[std::min(j, count - 1)];
    }
  }
}

// Copy the numbers of a grade to and from local arrays. With local arrays, compilers can
// rule out aliasing.
RANKMIX_INLINE void load(const std::vector<double>& from, std::size_t l, double* to) {
  const double* first = from.data() + l * kSigmoidWide;
  for (std::size_t j = 0; j < kSigmoidWide; ++j) {
    to[j] = first[j];
  }
}
RANKMIX_INLINE void store(const double* from, std::size_t l, std::vector<double>& to) {
  double* first = to.data() + l * kSigmoidWide;
  for (std::size_t j = 0; j < kSigmoidWide; ++j) {
    first[j] = from[j];
  }
}

// Fills p, rest and whole, and log_p if kLogs. log s(u) = min(u, 0) - log(1 + exp(-|u|)).
// The largest min(u, 0) of a document is subtracted from all, so that the sum of its
// s(f_l) does not underflow.
template <bool kLogs>
RANKMIX_INLINE void find_probabilities(WideSigmoid& wide, double a, double b) {
  constexpr std::size_t w = kSigmoidWide;
  double top[w];
  for (std::size_t j = 0; j < w; ++j) {
    top[j] = -INFINITY;
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double x[w];
    double u[w];
    double e[w];
    double low[w];
    double whole[w];
    double rest[w];
    load(wide.x, l, x);
    for (std::size_t j = 0; j < w; ++j) {
      u[j] = a * (x[j] - b);
      e[j] = u[j] < 0.0 ? u[j] : -u[j];
      low[j] = u[j] < 0.0 ? u[j] : 0.0;
      top[j] = top[j] > low[j] ? top[j] : low[j];
    }
    exp_in_place<w>(e);
    for (std::size_t j = 0; j < w; ++j) {
      whole[j] = 1.0 + e[j];
      rest[j] = (u[j] < 0.0 ? 1.0 : e[j]) / whole[j];
    }
    store(low, l, wide.log_p);
    store(whole, l, wide.whole);
    store(rest, l, wide.rest);
  }
  double sum[w] = {};
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double low[w];
    double whole[w];
    double e[w];
    load(wide.log_p, l, low);
    load(wide.whole, l, whole);
    for (std::size_t j = 0; j < w; ++j) {
      low[j] -= top[j];
      e[j] = low[j];
    }
    exp_in_place<w>(e);
    for (std::size_t j = 0; j < w; ++j) {
      e[j] /= whole[j];
      sum[j] += e[j];
    }
    store(low, l, wide.log_p);
    store(e, l, wide.p);
  }
  double fraction[w];
  for (std::size_t j = 0; j < w; ++j) {
    fraction[j] = 1.0 / sum[j];
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[w];
    load(wide.p, l, p);
    for (std::size_t j = 0; j < w; ++j) {
      p[j] *= fraction[j];
    }
    store(p, l, wide.p);
    if (kLogs) {
      double low[w];
      double all[w];
      load(wide.whole, l, all);
      load(wide.log_p, l, low);
      for (std::size_t j = 0; j < w; ++j) {
        all[j] *= sum[j];
      }
      log_in_place<w>(all);
      for (std::size_t j = 0; j < w; ++j) {
        low[j] -= all[j];
      }
      store(low, l, wide.log_p);
    }
  }
}

// Adds the derivatives by a and b to da and db, one sum for each document position.
// Computed from wide.gradients, multiplied by `times` of each document, with d log p_l =
// d log s_l - sum_m p_m d log s_m and d log s(f_l) = (1 - s(f_l)) ((f_l - b) da - a db).
RANKMIX_INLINE void add_derivatives(const WideSigmoid& wide, const double* times,
                                    double a, double b, double* da, double* db) {
  constexpr std::size_t w = kSigmoidWide;
  double all[w] = {};
  double sum_a[w] = {};
  double sum_b[w] = {};
  double gradients[w];
  double own[w];
  for (std::size_t j = 0; j < w; ++j) {
    own[j] = times[j];
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    load(wide.gradients, l, gradients);
    for (std::size_t j = 0; j < w; ++j) {
      all[j] += gradients[j];
    }
  }
  for (std::size_t l = 0; l < wide.grades; ++l) {
    double p[w];
    double rest[w];
    double x[w];
    load(wide.gradients, l, gradients);
    load(wide.p, l, p);
    load(wide.rest, l, rest);
    load(wide.x, l, x);
    for (std::size_t j = 0; j < w; ++j) {
      const double weight = own[j] * (gradients[j] - p[j] * all[j]) * rest[j];
      sum_a[j] += weight * (x[j] - b);
      sum_b[j] += weight * a;
    }
  }
  for (std::size_t j = 0; j < w; ++j) {
    da[j] += sum_a[j];
    db[j] -= sum_b[j];
  }
}

RANKMIX_INLINE double sum_of_places(const double* sums) {
  double sum = 0.0;
  for (std::size_t j = 0; j < kSigmoidWide; ++j) {
    sum += sums[j];
  }
  return sum;
}

}  // namespace rankmix::calibrate
