#include "core/objective/lambda_orders.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/objective/lambda_pairs.h"
#include "core/objective/lambda_sums.h"

namespace rankmix::objective {
namespace {

// Number of random orders of tied documents. The reverse of each order is used, too.
constexpr std::size_t kDraws = 4;

// A hash of the order, ties and grades of the documents. It does not depend on the
// position of the query. It also ignores the last digits of scores, in which weighted
// queries differ from copies.
std::uint64_t key_of(const Query& query, int first_grade, std::uint64_t stream) {
  std::uint64_t key = mix_bits(stream ^ query.size());
  for (std::size_t k = 0; k < query.size(); ++k) {
    const bool ties = k > 0 && query.scores[k] == query.scores[k - 1];
    const auto grade = static_cast<std::uint64_t>(query.grades[k] - first_grade);
    key = mix_bits(key ^ (2 * grade + (ties ? 1 : 0)));
  }
  return key;
}

// A random integer in [0, size).
std::size_t draw_below(std::size_t size, std::uint64_t bits) {
  return static_cast<std::size_t>(unit_uniform(bits) * static_cast<double>(size));
}

}  // namespace

void LambdaOrders::find_groups(const Part& part) {
  ties_.clear();
  const View<const double> scores = part.query.scores;
  for (std::size_t begin = 0; begin < scores.size();) {
    std::size_t end = begin + 1;
    bool differ = false;
    for (; end < scores.size() && scores[end] == scores[begin]; ++end) {
      differ = differ || part.gains[end] != part.gains[begin] ||
               (options_.factors != nullptr &&
                part.query.targets[end] != part.query.targets[begin]);
    }
    if (differ) {
      ties_.push_back({begin, end});
    }
    begin = end;
  }
}

void LambdaOrders::draw_order(std::uint64_t key) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (const Group& tie : ties_) {
    for (std::size_t k = tie.end - 1; k > tie.begin; --k) {
      const std::size_t other =
          tie.begin + draw_below(k - tie.begin + 1, mix_bits(key ^ k));
      std::swap(order_[k], order_[other]);
    }
  }
}

void LambdaOrders::reverse_ties() {
  for (const Group& tie : ties_) {
    std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(tie.begin),
                 order_.begin() + static_cast<std::ptrdiff_t>(tie.end));
  }
}

void LambdaOrders::set_list(const Part& part, const metric::GradeCounts& counts) {
  for (std::size_t p = 0; p < order_.size(); ++p) {
    grades_[p] = part.query.grades[order_[p]];
  }
  if (part.sum == nullptr) {
    swap_->set_list({grades_, {}, counts});
  }
}

// The decrease of the metric when the documents at ranks i < j are swapped.
double LambdaOrders::change(const Part& part, std::size_t i, std::size_t j) {
  if (part.sum == nullptr) {
    return -swap_->change(i, j);
  }
  const std::vector<double>& discounts = part.sum->discounts;
  const double upper = i < discounts.size() ? discounts[i] : 0.0;
  const double lower = j < discounts.size() ? discounts[j] : 0.0;
  return (part.gains[order_[i]] - part.gains[order_[j]]) * (upper - lower);
}

// Adds the losses of pair_bias.h.
void LambdaOrders::add_loss(const Part& part, std::size_t better, std::size_t other,
                            double weight) {
  const View<const double> positions = part.query.targets;
  const double gap =
      options_.sigma * (part.query.scores[better] - part.query.scores[other]);
  const double loss =
      weight * (std::max(0.0, -gap) + std::log1p(std::exp(-std::abs(gap))));
  part.out.gradient[better] +=
      loss / options_.factors->other[static_cast<std::size_t>(positions[other]) - 1];
  part.out.hessian[other] +=
      loss / options_.factors->clicked[static_cast<std::size_t>(positions[better]) - 1];
}

// Adds the pair of ranks i < j with weight `times`. `odds` is exp(sigma (score of the
// lower - score of the upper)). Returns the lambda.
double LambdaOrders::add_pair(const Part& part, std::size_t i, std::size_t j, double odds,
                              double times) {
  double lost = change(part, i, j);
  if (lost == 0.0) {
    return 0.0;
  }
  const std::size_t upper = order_[i];
  const std::size_t lower = order_[j];
  const double gap = part.query.scores[upper] - part.query.scores[lower];
  lost *= times / (divides_ ? kMinGap + gap : 1.0);
  if (options_.factors != nullptr) {
    const std::size_t better = lost > 0.0 ? upper : lower;
    const std::size_t other = lost > 0.0 ? lower : upper;
    if (options_.losses) {
      add_loss(part, better, other, std::abs(lost));
      return 0.0;
    }
    const View<const double> positions = part.query.targets;
    lost /= options_.factors->clicked[static_cast<std::size_t>(positions[better]) - 1] *
            options_.factors->other[static_cast<std::size_t>(positions[other]) - 1];
  }
  const double lambda = lost * (lost > 0.0 ? odds : 1.0) / (1.0 + odds);
  const double hessian = std::abs(lambda) * (lost > 0.0 ? 1.0 : odds) / (1.0 + odds);
  part.out.gradient[upper] -= lambda;
  part.out.gradient[lower] += lambda;
  part.out.hessian[upper] += hessian;
  part.out.hessian[lower] += hessian;
  return std::abs(lambda);
}

// Recomputes the exponentials relative to `anchor`. Exponentials of higher scores are no
// longer used.
void LambdaOrders::raise(View<const double> scores, double anchor) {
  anchor_ = anchor;
  power_.resize(scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double exponent = options_.sigma * (scores[k] - anchor);
    power_[k] = std::exp(std::min(std::max(exponent, kMinBelow), 0.0));
  }
}

double LambdaOrders::add_all(const Part& part) {
  const std::size_t n = order_.size();
  const std::size_t depth =
      part.sum == nullptr ? swap_->depth() : part.sum->discounts.size();
  double lambda_sum = 0.0;
  for (std::size_t i = 0; i < std::min({n, depth, options_.top}); ++i) {
    const double score = part.query.scores[order_[i]];
    if (i == 0 || options_.sigma * (score - anchor_) < kMinAbove) {
      raise(part.query.scores, score);
    }
    part.query.checkpoint();
    for (std::size_t j = i + 1; j < n; ++j) {
      lambda_sum += add_pair(part, i, j, power_[order_[j]] / power_[order_[i]], 1.0);
    }
  }
  return lambda_sum;
}

void LambdaOrders::sort_by_grade(const Query& query) {
  const std::size_t n = query.size();
  by_grade_.resize(n);
  std::iota(by_grade_.begin(), by_grade_.end(), std::size_t{0});
  std::stable_sort(by_grade_.begin(), by_grade_.end(), [&](std::size_t a, std::size_t b) {
    return query.grades[a] < query.grades[b];
  });
  of_grade_.resize(n);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin;
    while (end < n && query.grades[by_grade_[end]] == query.grades[by_grade_[begin]]) {
      ++end;
    }
    for (std::size_t k = begin; k < end; ++k) {
      of_grade_[by_grade_[k]] = {begin, end};
    }
    begin = end;
  }
}

// Adds random pairs. The documents must have at least two grades.
double LambdaOrders::add_drawn(const Part& part, std::uint64_t key) {
  const std::size_t n = order_.size();
  sort_by_grade(part.query);
  rank_.resize(n);
  for (std::size_t p = 0; p < n; ++p) {
    rank_[order_[p]] = p;
  }
  const auto others = [&](std::size_t document) {
    return n - (of_grade_[document].end - of_grade_[document].begin);
  };
  const auto partners = static_cast<double>(options_.partners);
  double lambda_sum = 0.0;
  for (std::size_t own = 0; own < n; ++own) {
    const std::uint64_t own_key = mix_bits(key ^ ~static_cast<std::uint64_t>(own));
    const Group alike = of_grade_[own];
    for (std::size_t t = 0; t < options_.partners; ++t) {
      std::size_t at = draw_below(others(own), mix_bits(own_key ^ t));
      at += at < alike.begin ? 0 : alike.end - alike.begin;
      const std::size_t partner = by_grade_[at];
      const double often = partners * (1.0 / static_cast<double>(others(own)) +
                                       1.0 / static_cast<double>(others(partner)));
      const auto ranks = std::minmax(rank_[own], rank_[partner]);
      const double gap = std::abs(part.query.scores[own] - part.query.scores[partner]);
      lambda_sum += add_pair(part, ranks.first, ranks.second,
                             std::exp(-options_.sigma * gap), 1.0 / often);
    }
  }
  return lambda_sum;
}

// Replaces gradients and hessians by their mean over documents of the same score and
// grade (and position, with factors).
void LambdaOrders::share_alike(const Part& part, double times) {
  const Query& query = part.query;
  for (std::size_t begin = 0; begin < query.size();) {
    std::size_t end = begin;
    double gradient = 0.0;
    double hessian = 0.0;
    for (; end < query.size() && query.scores[end] == query.scores[begin] &&
           query.grades[end] == query.grades[begin] &&
           (options_.factors == nullptr || query.targets[end] == query.targets[begin]);
         ++end) {
      gradient += part.out.gradient[end];
      hessian += part.out.hessian[end];
    }
    const double fraction = times / static_cast<double>(end - begin);
    for (; begin < end; ++begin) {
      part.out.gradient[begin] = fraction * gradient;
      part.out.hessian[begin] = fraction * hessian;
    }
  }
}

double LambdaOrders::evaluate(const Query& query, const metric::GradeCounts& counts,
                              metric::GainRule rule, const metric::RankSum& ranks,
                              View<const double> gains, std::uint64_t stream,
                              const Derivatives& out) {
  const bool is_sum = rule == metric::GainRule::kSum;
  if (!is_sum && swap_ == nullptr) {
    throw InvalidArgument("the metric does not define the change by a swap");
  }
  const Part part{query, out, gains, is_sum ? &ranks : nullptr};
  find_groups(part);
  divides_ = options_.by_gap && query.scores[0] != query.scores[query.size() - 1];
  std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
  std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
  order_.resize(query.size());
  grades_.resize(query.size());
  const bool draws = options_.partners > 0 || !ties_.empty();
  const std::uint64_t key = draws ? key_of(query, counts.first(), stream) : 0;
  const std::size_t times = options_.partners > 0 || ties_.empty() ? 1 : 2 * kDraws;
  double lambda_sum = 0.0;
  for (std::size_t t = 0; t < times; ++t) {
    if (t % 2 == 0) {
      draw_order(mix_bits(key ^ t));
    } else {
      reverse_ties();
    }
    set_list(part, counts);
    lambda_sum += options_.partners > 0 ? add_drawn(part, key) : add_all(part);
  }
  share_alike(part, 1.0 / static_cast<double>(times));
  return lambda_sum / static_cast<double>(times);
}

}  // namespace rankmix::objective
