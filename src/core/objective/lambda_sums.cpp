#include "core/objective/lambda_sums.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::objective {
namespace {

// Pairs side by side.
constexpr std::size_t kWide = 8;
// Exponents that a document above and one below may have: their quotient is that of far
// apart scores, and no product of them and a weight is too small for a number.
constexpr double kLeastAbove = -200.0;
constexpr double kLeastBelow = -400.0;
// What scores differ by at least where changes are divided by it.
constexpr double kLeastGap = 0.01;

struct Upper {
  double score;
  double worth;
  double power;
  double discount;
  double share;
};

// The documents of lower groups.
struct Lowers {
  const double* scores;
  const double* worth;
  const double* discount;
  const double* power;
  double* slope;
  double* curvature;
  std::size_t begin;
  std::size_t end;  // a multiple of kWide from begin, or the first beyond the end
};

struct Sums {
  double slope = 0.0;
  double curvature = 0.0;
  double pull = 0.0;
};

RANKMIX_INLINE double sum_wide(const double* parts) {
  double sum = 0.0;
  for (std::size_t k = 0; k < kWide; ++k) {
    sum += parts[k];
  }
  return sum;
}

// Adds the pairs of a document with those below it.
template <bool ByGap>
RANKMIX_INLINE Sums add_pairs(const Upper& own, const Lowers& to) {
  double slope[kWide] = {};
  double curvature[kWide] = {};
  double pulls[kWide] = {};
  for (std::size_t j = to.begin; j < to.end; j += kWide) {
    double pull[kWide];  // of the upper one; less than 0 where it is the worse one
    double curve[kWide];
    for (std::size_t k = 0; k < kWide; ++k) {
      const double power = to.power[j + k];
      double change =
          (own.worth - to.worth[j + k]) * (own.discount - own.share * to.discount[j + k]);
      if (ByGap) {
        change /= kLeastGap + (own.score - to.scores[j + k]);
      }
      const double times = 1.0 / (own.power + power);
      const double better = change > 0.0 ? own.power : power;
      const double worse = change > 0.0 ? power : own.power;
      pull[k] = change * worse * times;
      curve[k] = std::abs(pull[k]) * better * times;
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      slope[k] -= pull[k];
      curvature[k] += curve[k];
      pulls[k] += std::abs(pull[k]);
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      to.slope[j + k] += pull[k];
      to.curvature[j + k] += curve[k];
    }
  }
  return {sum_wide(slope), sum_wide(curvature), sum_wide(pulls)};
}

Sums pairs_plain(const Upper& own, const Lowers& to, bool by_gap) {
  return by_gap ? add_pairs<true>(own, to) : add_pairs<false>(own, to);
}
RANKMIX_AVX2 Sums pairs_avx2(const Upper& own, const Lowers& to, bool by_gap) {
  return by_gap ? add_pairs<true>(own, to) : add_pairs<false>(own, to);
}

}  // namespace

void LambdaSums::add_discounts(std::size_t begin, std::size_t end,
                               View<const double> discounts) {
  const auto n = static_cast<double>(end - begin);
  const std::size_t depth = std::min(end, discounts.size());
  double all = 0.0;
  for (std::size_t p = begin; p < depth; ++p) {
    all += discounts[p];
  }
  Group group{begin, end, 0.0, 0.0, 0.0};
  double below = all;  // from p on
  for (std::size_t p = begin; p < std::min(depth, options_.top); ++p) {
    below -= discounts[p];
    group.discount += discounts[p];
    group.within += discounts[p] * static_cast<double>(end - p - 1) - below;
  }
  group.discount /= n;
  const std::size_t above = std::min(end, options_.top);
  group.share = above > begin ? static_cast<double>(above - begin) / n : 0.0;
  group.within = end - begin > 1 ? 2.0 * group.within / (n * (n - 1.0)) : 0.0;
  groups_.push_back(group);
  std::fill(discount_.begin() + static_cast<std::ptrdiff_t>(begin),
            discount_.begin() + static_cast<std::ptrdiff_t>(end), all / n);
}

void LambdaSums::set_query(View<const double> scores, View<const double> worth,
                           View<const double> discounts) {
  n_ = scores.size();
  scores_.assign(scores.begin(), scores.end());
  scores_.resize(n_ + kWide, scores[n_ - 1]);
  worth_.assign(worth.begin(), worth.end());
  worth_.resize(n_ + kWide, 0.0);
  discount_.assign(n_ + kWide, 0.0);
  power_.assign(n_ + kWide, 1.0);
  slope_.assign(n_ + kWide, 0.0);
  curvature_.assign(n_ + kWide, 0.0);
  groups_.clear();
  for (std::size_t begin = 0; begin < n_;) {
    std::size_t end = begin + 1;
    while (end < n_ && scores[end] == scores[begin]) {
      ++end;
    }
    add_discounts(begin, end, discounts);
    begin = end;
  }
  divides_ = options_.by_gap && groups_.size() > 1;
}

// Makes powers of the documents from this one on relative to its score.
void LambdaSums::raise(std::size_t from) {
  anchor_ = scores_[from];
  for (std::size_t j = from; j < n_; j += kWide) {
    for (std::size_t k = 0; k < kWide; ++k) {
      const double exponent = options_.sigma * (scores_[j + k] - anchor_);
      power_[j + k] = exponent > kLeastBelow ? exponent : kLeastBelow;
    }
    exp_in_place<kWide>(power_.data() + j);
  }
}

// Adds the pairs among documents of the same score, each to both; gives their pulls.
// Those of the same worth are side by side.
double LambdaSums::add_group(const Group& group) {
  const double change = divides_ ? group.within / kLeastGap : group.within;
  double pulls = 0.0;
  for (std::size_t begin = group.begin; begin < group.end;) {
    const std::size_t end = end_of_run(begin, group.end);
    double slope = 0.0;
    double curvature = 0.0;
    for (std::size_t other = group.begin; other < group.end;) {
      const std::size_t other_end = end_of_run(other, group.end);
      const double pull = 0.5 * change * (worth_[other] - worth_[begin]) *
                          static_cast<double>(other_end - other);
      slope += pull;
      curvature += 0.5 * std::abs(pull);
      other = other_end;
    }
    pulls += static_cast<double>(end - begin) * curvature;  // half of each pair's
    for (std::size_t k = begin; k < end; ++k) {
      slope_[k] += slope;
      curvature_[k] += curvature;
    }
    begin = end;
  }
  return pulls;
}

std::size_t LambdaSums::end_of_run(std::size_t begin, std::size_t end) const {
  std::size_t k = begin + 1;
  while (k < end && worth_[k] == worth_[begin]) {
    ++k;
  }
  return k;
}

double LambdaSums::evaluate(View<const double> scores, View<const double> worth,
                            View<const double> discounts, const Slopes& out) {
  set_query(scores, worth, discounts);
  raise(0);
  const auto pairs = has_avx2() ? pairs_avx2 : pairs_plain;
  double pulls = 0.0;
  for (const Group& group : groups_) {
    if (group.discount == 0.0) {
      break;  // so are all that come after
    }
    pulls += add_group(group);
    if (options_.sigma * (scores_[group.begin] - anchor_) < kLeastAbove) {
      raise(group.begin);
    }
    for (std::size_t i = group.begin; i < group.end && group.end < n_; ++i) {
      // What fills up is worth the same, so that there is no change.
      std::fill(worth_.begin() + static_cast<std::ptrdiff_t>(n_), worth_.end(),
                worth_[i]);
      const Sums sums =
          pairs({scores_[i], worth_[i], power_[i], group.discount, group.share},
                {scores_.data(), worth_.data(), discount_.data(), power_.data(),
                 slope_.data(), curvature_.data(), group.end, n_},
                divides_);
      slope_[i] += sums.slope;
      curvature_[i] += sums.curvature;
      pulls += sums.pull;
    }
  }
  std::copy_n(slope_.begin(), n_, out.slope.begin());
  std::copy_n(curvature_.begin(), n_, out.curvature.begin());
  return pulls;
}

}  // namespace rankmix::objective
