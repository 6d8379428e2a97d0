#include "core/objective/lambda_sums.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"
#include "core/objective/lambda_pairs.h"

namespace rankmix::objective {
// Adds a group of tied documents. Its first rank is in the top and has a discount.
void LambdaSums::add_group(std::size_t begin, std::size_t end,
                           View<const double> discounts) {
  if (end == begin + 1) {  // the general case without divisions
    groups_.push_back({begin, end, discounts[begin], 1.0, 0.0});
    return;
  }
  const auto n = static_cast<double>(end - begin);
  const std::size_t depth = std::min(end, discounts.size());
  double below = 0.0;  // sum of discounts from p on
  for (std::size_t p = begin; p < depth; ++p) {
    below += discounts[p];
  }
  Group group{begin, end, 0.0, 0.0, 0.0};
  for (std::size_t p = begin; p < std::min(depth, options_.top); ++p) {
    below -= discounts[p];
    group.discount += discounts[p];
    group.within += discounts[p] * static_cast<double>(end - p - 1) - below;
  }
  group.discount /= n;
  group.fraction = static_cast<double>(std::min(end, options_.top) - begin) / n;
  group.within = 2.0 * group.within / (n * (n - 1.0));
  groups_.push_back(group);
}

// Documents of the same score get the mean discount of their ranks.
void LambdaSums::set_discounts(View<const double> discounts) {
  discount_.assign(n_ + kPairsWide, 0.0);
  std::copy_n(discounts.begin(), std::min(n_, discounts.size()), discount_.begin());
  for (std::size_t begin = 0; begin + 1 < n_; ++begin) {
    if (scores_[begin] != scores_[begin + 1]) {
      continue;
    }
    const std::size_t end = end_of_ties(begin);
    double all = 0.0;
    for (std::size_t p = begin; p < end; ++p) {
      all += discount_[p];
    }
    std::fill(discount_.begin() + static_cast<std::ptrdiff_t>(begin),
              discount_.begin() + static_cast<std::ptrdiff_t>(end),
              all / static_cast<double>(end - begin));
    begin = end - 1;
  }
}

std::size_t LambdaSums::end_of_ties(std::size_t begin) const {
  std::size_t end = begin + 1;
  while (end < n_ && scores_[end] == scores_[begin]) {
    ++end;
  }
  return end;
}

void LambdaSums::set_query(View<const double> scores, View<const double> gains,
                           View<const double> discounts) {
  n_ = scores.size();
  scores_.assign(scores.begin(), scores.end());
  scores_.resize(n_ + kPairsWide, scores[n_ - 1]);
  gains_.assign(gains.begin(), gains.end());
  gains_.resize(n_ + kPairsWide, 0.0);
  power_.assign(n_ + kPairsWide, 1.0);
  gradient_.assign(n_ + kPairsWide, 0.0);
  hessian_.assign(n_ + kPairsWide, 0.0);
  set_discounts(discounts);
  groups_.clear();
  const std::size_t depth = std::min({n_, discounts.size(), options_.top});
  for (std::size_t begin = 0; begin < depth; begin = groups_.back().end) {
    add_group(begin, end_of_ties(begin), discounts);
  }
  divides_ = options_.by_gap && scores[0] != scores[n_ - 1];
}

// Recomputes the exponentials of document `from` and all later documents, relative to the
// score of `from`.
void LambdaSums::raise(std::size_t from) {
  anchor_ = scores_[from];
  const std::size_t count = (n_ - from + kPairsWide - 1) / kPairsWide * kPairsWide;
  for (std::size_t j = from; j < from + count; ++j) {
    const double exponent = options_.sigma * (scores_[j] - anchor_);
    power_[j] = exponent > kMinBelow ? exponent : kMinBelow;
  }
  exp_of_all({power_.data() + from, count});
}

// Adds the pairs within a group of tied documents to both documents. Returns the sum of
// their lambdas. Documents of equal gain must be adjacent.
double LambdaSums::add_ties(const Group& group) {
  const double change = divides_ ? group.within / kMinGap : group.within;
  double lambda_sum = 0.0;
  for (std::size_t begin = group.begin; begin < group.end;) {
    const std::size_t end = end_of_run(begin, group.end);
    double gradient = 0.0;
    double hessian = 0.0;
    for (std::size_t other = group.begin; other < group.end;) {
      const std::size_t other_end = end_of_run(other, group.end);
      const double lambda = 0.5 * change * (gains_[other] - gains_[begin]) *
                            static_cast<double>(other_end - other);
      gradient += lambda;
      hessian += 0.5 * std::abs(lambda);
      other = other_end;
    }
    lambda_sum += static_cast<double>(end - begin) * hessian;  // half of each lambda
    for (std::size_t k = begin; k < end; ++k) {
      gradient_[k] += gradient;
      hessian_[k] += hessian;
    }
    begin = end;
  }
  return lambda_sum;
}

std::size_t LambdaSums::end_of_run(std::size_t begin, std::size_t end) const {
  std::size_t k = begin + 1;
  while (k < end && gains_[k] == gains_[begin]) {
    ++k;
  }
  return k;
}

// Adds the pairs of document i of the group with all lower groups. Returns the sum of
// their lambdas.
double LambdaSums::add_lower(const Group& group, std::size_t i) {
  // Padding gets the same gain, so that its pairs add 0.
  std::fill(gains_.begin() + static_cast<std::ptrdiff_t>(n_), gains_.end(), gains_[i]);
  const PairSums sums =
      add_pairs({scores_[i], gains_[i], power_[i], group.discount, group.fraction},
                {scores_.data(), gains_.data(), discount_.data(), power_.data(),
                 gradient_.data(), hessian_.data(), group.end, n_},
                divides_);
  gradient_[i] += sums.gradient;
  hessian_[i] += sums.hessian;
  return sums.lambda;
}

// Like add_lower(), for all documents of the group. Documents of equal gain have equal
// sums.
double LambdaSums::add_lower_of_runs(const Group& group) {
  double lambda_sum = 0.0;
  for (std::size_t begin = group.begin; begin < group.end;) {
    const std::size_t end = end_of_run(begin, group.end);
    const auto times = static_cast<double>(end - begin);
    run_gradient_.assign(n_ + kPairsWide, 0.0);
    run_hessian_.assign(n_ + kPairsWide, 0.0);
    run_gradient_.swap(gradient_);
    run_hessian_.swap(hessian_);
    lambda_sum += times * add_lower(group, begin);
    run_gradient_.swap(gradient_);
    run_hessian_.swap(hessian_);
    for (std::size_t k = begin; k < end; ++k) {
      gradient_[k] += run_gradient_[begin];
      hessian_[k] += run_hessian_[begin];
    }
    for (std::size_t j = group.end; j < n_; ++j) {
      gradient_[j] += times * run_gradient_[j];
      hessian_[j] += times * run_hessian_[j];
    }
    begin = end;
  }
  return lambda_sum;
}

double LambdaSums::evaluate(View<const double> scores, View<const double> gains,
                            View<const double> discounts, const Derivatives& out) {
  set_query(scores, gains, discounts);
  raise(0);
  double lambda_sum = 0.0;
  for (const Group& group : groups_) {
    if (group.discount == 0.0) {
      break;  // the discounts of all later groups are 0, too
    }
    lambda_sum += add_ties(group);
    if (options_.sigma * (scores_[group.begin] - anchor_) < kMinAbove) {
      raise(group.begin);
    }
    if (n_ > options_.max_listed && group.end < n_) {
      lambda_sum += add_lower_of_runs(group);
      continue;
    }
    for (std::size_t i = group.begin; i < group.end && group.end < n_; ++i) {
      lambda_sum += add_lower(group, i);
    }
  }
  std::copy_n(gradient_.begin(), n_, out.gradient.begin());
  std::copy_n(hessian_.begin(), n_, out.hessian.begin());
  return lambda_sum;
}

}  // namespace rankmix::objective
