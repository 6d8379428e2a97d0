#include "core/objective/logistic_pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/exp.h"
#include "core/base/simd.h"
#include "core/base/sort.h"

namespace rankmix::objective {
namespace {

// Pairs that are processed together.
constexpr std::size_t kWide = 8;
// Number of factors 1 + e that are multiplied before the logarithm. Each is at most 2, so
// the product does not overflow.
constexpr std::size_t kFactors = 512;
// The score of padding: below all scores, but differences stay finite.
constexpr double kFarBelow = -1e300;

// For score differences d: e = exp(-|d|) and wrong = 1 / (1 + exp(d)).
RANKMIX_INLINE void find_odds(double own, const double* scores, double* e,
                              double* wrong) {
  for (std::size_t k = 0; k < kWide; ++k) {
    e[k] = -std::abs(own - scores[k]);
  }
  exp_in_place<kWide>(e);
  for (std::size_t k = 0; k < kWide; ++k) {
    wrong[k] = (own >= scores[k] ? e[k] : 1.0) / (1.0 + e[k]);
  }
}

// The lower partners of a document, from position `begin` on, and the outputs of the
// pairs.
struct Lowers {
  const double* scores;
  const double* weights;
  double* gradient;
  double* hessian;
  std::size_t begin;
  std::size_t end;  // number of documents; padding behind it is used too
};

struct Own {
  double score;
  double weight;
};

struct Sums {
  double gradient = 0.0;
  double hessian = 0.0;
  double value = 0.0;
};

// Collects factors 1 + e of pairs of weight 1, whose logarithms are summed. It stores
// product - 1, which is precise even if all factors are nearly 1.
struct Factors {
  double product[kWide] = {};
  std::size_t count = 0;

  double take_logarithm() {
    double sum = 0.0;
    for (double& part : product) {
      sum += std::log1p(part);
      part = 0.0;
    }
    count = 0;
    return sum;
  }
};

// Adds the pairs of one document to its lower partners. Returns the sums of the document
// itself, divided by its weight. If `Alike`, all weights are 1, and part of the value is
// left in `factors`.
template <bool Alike>
RANKMIX_INLINE Sums add_pairs(const Own& own, const Lowers& to, Factors& factors) {
  double gradient[kWide] = {};
  double hessian[kWide] = {};
  double value[kWide] = {};
  double logarithms = 0.0;
  double product[kWide];
  for (std::size_t k = 0; k < kWide; ++k) {
    product[k] = factors.product[k];
  }
  std::size_t count = factors.count;
  for (std::size_t j = to.begin; j < to.end; j += kWide) {
    double e[kWide];
    double wrong[kWide];
    find_odds(own.score, to.scores + j, e, wrong);
    for (std::size_t k = 0; k < kWide; ++k) {
      const double w = to.weights[j + k];
      const double first = w * wrong[k];
      const double second = first * (1.0 - wrong[k]);
      gradient[k] += first;
      hessian[k] += second;
      to.gradient[j + k] += own.weight * first;
      to.hessian[j + k] += own.weight * second;
    }
    if (Alike) {
      for (std::size_t k = 0; k < kWide; ++k) {
        const double below = to.scores[j + k] - own.score;
        value[k] += below > 0.0 ? below : 0.0;
        product[k] += e[k] + product[k] * e[k];
      }
      if (++count == kFactors) {
        for (std::size_t k = 0; k < kWide; ++k) {
          logarithms += std::log1p(product[k]);
          product[k] = 0.0;
        }
        count = 0;
      }
    } else {
      for (std::size_t k = 0; k < kWide; ++k) {
        const double below = to.scores[j + k] - own.score;
        value[k] += to.weights[j + k] * ((below > 0.0 ? below : 0.0) + std::log1p(e[k]));
      }
    }
  }
  for (std::size_t k = 0; k < kWide; ++k) {
    factors.product[k] = product[k];
  }
  factors.count = count;
  return {sum_lanes<kWide>(gradient), sum_lanes<kWide>(hessian),
          sum_lanes<kWide>(value) + logarithms};
}

Sums pairs_plain(const Own& own, const Lowers& to, bool alike, Factors& factors) {
  return alike ? add_pairs<true>(own, to, factors) : add_pairs<false>(own, to, factors);
}
RANKMIX_AVX2 Sums pairs_avx2(const Own& own, const Lowers& to, bool alike,
                             Factors& factors) {
  return alike ? add_pairs<true>(own, to, factors) : add_pairs<false>(own, to, factors);
}

// Returns sum_j h_ij (v_i - v_j) over the lower partners j. Subtracts each term, times
// the document's weight, from the product of the partner.
RANKMIX_INLINE double add_products(const Own& own, double v, const double* direction,
                                   const Lowers& to) {
  double sum[kWide] = {};
  for (std::size_t j = to.begin; j < to.end; j += kWide) {
    double e[kWide];
    double wrong[kWide];
    find_odds(own.score, to.scores + j, e, wrong);
    for (std::size_t k = 0; k < kWide; ++k) {
      const double second = to.weights[j + k] * wrong[k] * (1.0 - wrong[k]);
      const double change = second * (v - direction[j + k]);
      sum[k] += change;
      to.gradient[j + k] -= own.weight * change;
    }
  }
  return sum_lanes<kWide>(sum);
}
double products_plain(const Own& own, double v, const double* direction,
                      const Lowers& to) {
  return add_products(own, v, direction, to);
}
RANKMIX_AVX2 double products_avx2(const Own& own, double v, const double* direction,
                                  const Lowers& to) {
  return add_products(own, v, direction, to);
}

}  // namespace

void LogisticPairs::sort_by_grade(const Query& query) {
  const std::size_t n = query.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  sort_indices(order_, [&](std::size_t i, std::size_t j) {
    return query.grades[i] > query.grades[j];
  });
  lowers_.assign(n, n);
  for (std::size_t a = n; a-- > 1;) {
    const bool same = query.grades[order_[a - 1]] == query.grades[order_[a]];
    lowers_[a - 1] = same ? lowers_[a] : a;
  }
  scores_.assign(n + kWide, kFarBelow);
  weights_.assign(n + kWide, 0.0);
  direction_.assign(n + kWide, 0.0);
  gradient_.assign(n + kWide, 0.0);
  hessian_.assign(n + kWide, 0.0);
  equal_weights_ = true;
  for (std::size_t a = 0; a < n; ++a) {
    scores_[a] = query.scores[order_[a]];
    weights_[a] = query.weights[order_[a]];
    equal_weights_ = equal_weights_ && weights_[a] == 1.0;
  }
}

double LogisticPairs::evaluate(const Query& query, const Derivatives& out) {
  sort_by_grade(query);
  const auto pairs = has_avx2() ? pairs_avx2 : pairs_plain;
  const std::size_t n = query.size();
  double value = 0.0;
  Factors factors;
  for (std::size_t a = 0; a < n && lowers_[a] < n; ++a) {
    const Sums sums = pairs({scores_[a], weights_[a]},
                            {scores_.data(), weights_.data(), gradient_.data(),
                             hessian_.data(), lowers_[a], n},
                            equal_weights_, factors);
    gradient_[a] -= weights_[a] * sums.gradient;
    hessian_[a] += weights_[a] * sums.hessian;
    value += weights_[a] * sums.value;
  }
  value += factors.take_logarithm();
  for (std::size_t a = 0; a < n; ++a) {
    out.gradient[order_[a]] = gradient_[a];
    out.hessian[order_[a]] = hessian_[a];
  }
  return value;
}

void LogisticPairs::multiply(const Query& query, View<const double> direction,
                             View<double> product) {
  sort_by_grade(query);
  const auto products = has_avx2() ? products_avx2 : products_plain;
  const std::size_t n = query.size();
  for (std::size_t a = 0; a < n; ++a) {
    direction_[a] = direction[order_[a]];
  }
  for (std::size_t a = 0; a < n && lowers_[a] < n; ++a) {
    gradient_[a] += weights_[a] *
                    products({scores_[a], weights_[a]}, direction_[a], direction_.data(),
                             {scores_.data(), weights_.data(), gradient_.data(),
                              hessian_.data(), lowers_[a], n});
  }
  for (std::size_t a = 0; a < n; ++a) {
    product[order_[a]] = gradient_[a];
  }
}

}  // namespace rankmix::objective
