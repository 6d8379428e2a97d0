#include "core/objective/soft_precision.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::objective {
namespace {

// Documents that are processed together.
constexpr std::size_t kWide = 8;
// Further away, P counts as 0 or 1. This avoids slow products with denormal numbers.
constexpr double kFarthest = 200.0;

struct Sums {
  double rank = 0.0;
  double relevant = 0.0;
};

// P_ij for all j, with own = v_i, and their sums including j = i.
RANKMIX_INLINE Sums find_fractions(const double* v, const double* l, double own,
                                   double scale, std::size_t size, double* p) {
  double rank[kWide] = {};
  double relevant[kWide] = {};
  for (std::size_t j = 0; j < size; j += kWide) {
    double x[kWide];
    for (std::size_t k = 0; k < kWide; ++k) {
      const double far = std::abs(own - v[j + k]) * scale;
      x[k] = far < kFarthest ? -far : -kFarthest;
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      x[k] = exp_not_positive(x[k]);
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      const double over = own > v[j + k] ? x[k] : 1.0;
      p[j + k] = over / (1.0 + x[k]);
      rank[k] += p[j + k];
      relevant[k] += l[j + k] * p[j + k];
    }
  }
  Sums sums;
  for (std::size_t k = 0; k < kWide; ++k) {
    sums.rank += rank[k];
    sums.relevant += relevant[k];
  }
  return sums;
}

Sums fractions_plain(const double* v, const double* l, double own, double scale,
                     std::size_t size, double* p) {
  return find_fractions(v, l, own, scale, size, p);
}
RANKMIX_AVX2 Sums fractions_avx2(const double* v, const double* l, double own,
                                 double scale, std::size_t size, double* p) {
  return find_fractions(v, l, own, scale, size, p);
}

}  // namespace

double SoftPrecision::evaluate(View<const double> scores, View<const double> relevance,
                               View<double> gradients, View<double> hessians) {
  const std::size_t n = scores.size();
  const std::size_t padded = (n + kWide - 1) / kWide * kWide;
  const double least = *std::min_element(scores.begin(), scores.end());
  v_.assign(padded, least - 2.0 * kFarthest * sigma_);
  l_.assign(padded, 0.0);
  std::copy(scores.begin(), scores.end(), v_.begin());
  std::copy(relevance.begin(), relevance.end(), l_.begin());
  p_.resize(padded);
  sums_.assign(n, 0.0);
  sizes_.assign(n, 0.0);
  const auto find = has_avx2() ? fractions_avx2 : fractions_plain;
  double value = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (l_[i] == 0.0) {
      continue;
    }
    // P_ii is 1/2 but counts as 1.
    const Sums sums = find(v_.data(), l_.data(), v_[i], 1.0 / sigma_, padded, p_.data());
    const double rank = sums.rank + 0.5;
    const double relevant = sums.relevant + 0.5;
    value += relevant / rank;
    if (gradients.empty()) {
      continue;
    }
    double sum = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double part = j == i ? 0.0
                                 : (l_[j] * rank - relevant) / (rank * rank) * p_[j] *
                                       (1.0 - p_[j]) / sigma_;
      sums_[j] += part;
      sum += part;
      sizes_[j] += std::abs(part);
      size += std::abs(part);
    }
    sums_[i] -= sum;
    sizes_[i] += size;
  }
  std::copy(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(gradients.size()),
            gradients.begin());
  for (std::size_t i = 0; i < hessians.size(); ++i) {
    hessians[i] = sizes_[i] / sigma_;
  }
  return value;
}

}  // namespace rankmix::objective
