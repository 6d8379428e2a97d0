#include "core/objective/soft_precision.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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
  if (n > max_listed_) {
    return evaluate_long(scores, relevance, gradients, hessians);
  }
  const std::size_t padded = (n + kWide - 1) / kWide * kWide;
  const double least = *std::min_element(scores.begin(), scores.end());
  // From a large score, a short distance would be lost by rounding.
  v_.assign(padded,
            std::max(std::numeric_limits<double>::lowest(),
                     least - std::max(2.0 * kFarthest * sigma_, std::abs(least))));
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
    // P_ii is 1/2, but the sum must include 1.
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

double SoftPrecision::evaluate_long(View<const double> scores,
                                    View<const double> relevance, View<double> gradients,
                                    View<double> hessians) {
  const std::size_t n = scores.size();
  std::vector<std::uint32_t> all(n);
  std::vector<std::uint32_t> relevant;
  v_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    all[k] = static_cast<std::uint32_t>(k);
    v_[k] = scores[k] / sigma_;
    if (relevance[k] != 0.0) {
      relevant.push_back(all[k]);
    }
  }
  const std::vector<double> ones(n, 1.0);
  const double* of_relevant = relevance.data();
  logistic_.set_scores(v_);
  std::vector<double> rank(n, 0.5);  // P_ii is 1/2 but counts as 1
  std::vector<double> above(n, 0.5);
  const LogisticTerm sums[] = {{LogisticKernel::kFirst, ones.data(), rank.data()},
                               {LogisticKernel::kFirst, of_relevant, above.data()}};
  logistic_.add(relevant, {sums, 2}, all, {});
  double value = 0.0;
  std::vector<double> inverse(n, 0.0);   // 1 / r
  std::vector<double> fraction(n, 0.0);  // n / r^2
  for (std::uint32_t i : relevant) {
    value += above[i] / rank[i];
    inverse[i] = 1.0 / rank[i];
    fraction[i] = above[i] / (rank[i] * rank[i]);
  }
  if (gradients.empty()) {
    return value;
  }
  // Sums over j of Q_ij and l_j Q_ij, and sums over i of Q_ij / r_i and n_i Q_ij / r_i^2,
  // times sigma.
  std::vector<double> near(n, 0.0);
  std::vector<double> near_relevant(n, 0.0);
  std::vector<double> up(n, 0.0);
  std::vector<double> down(n, 0.0);
  const LogisticTerm of_x[] = {
      {LogisticKernel::kSecond, ones.data(), near.data()},
      {LogisticKernel::kSecond, of_relevant, near_relevant.data()}};
  const LogisticTerm of_y[] = {{LogisticKernel::kSecond, inverse.data(), up.data()},
                               {LogisticKernel::kSecond, fraction.data(), down.data()}};
  logistic_.add(relevant, {of_x, 2}, all, {of_y, 2});
  for (std::size_t j = 0; j < n; ++j) {
    const double by_others = relevance[j] * up[j] - down[j];
    const double own = inverse[j] * near_relevant[j] - fraction[j] * near[j];
    gradients[j] = (by_others - own) / sigma_;
    if (!hessians.empty()) {
      const double others = relevance[j] != 0.0 ? by_others : down[j];
      // The pair of a document with itself is in both sums, with Q = 1/4.
      const double sizes = (inverse[j] - fraction[j]) * near_relevant[j] +
                           fraction[j] * (near[j] - near_relevant[j]) -
                           0.5 * (inverse[j] - fraction[j]) * relevance[j];
      hessians[j] = std::max(0.0, others + sizes) / (sigma_ * sigma_);
    }
  }
  return value;
}

}  // namespace rankmix::objective
