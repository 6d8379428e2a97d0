#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/compare/joint_flips.h"
#include "core/compare/permuted_ranges.h"
#include "draw.h"
#include "thread_host.h"

namespace {

using rankmix::MatrixView;
using rankmix::compare::Alternative;
using rankmix::compare::joint_flips;
using rankmix::compare::JointFlips;
using rankmix::compare::permuted_ranges;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Problem {
  std::size_t queries = 0;
  std::size_t rankers = 0;
  std::vector<double> values;
  std::vector<double> weights;
  std::vector<int> strata;
  std::vector<int> first, second, in_family;

  MatrixView<const double> view() const { return {values.data(), queries, rankers}; }
  JointFlips flip(Alternative alternative, std::size_t resamples, std::uint64_t seed,
                  rankmix::Host& host) const {
    return joint_flips({view(), weights, strata}, {first, second, in_family, alternative},
                       0.05, resamples, seed, host);
  }
};

// Values in tenths, with ties and zeros, whose sums are not exact.
Problem problem_of(std::size_t queries, std::size_t rankers, bool weighted,
                   std::size_t strata, unsigned seed) {
  std::mt19937_64 random(seed);
  draw::Whole<int> tenths(0, 6);
  Problem made{queries, rankers, {}, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < queries * rankers; ++i) {
    made.values.push_back(tenths(random) * 0.1);
  }
  for (std::size_t q = 0; q < queries; ++q) {
    if (weighted) {
      made.weights.push_back(0.5 + tenths(random) * 0.5);
    }
    if (strata > 1) {
      made.strata.push_back(static_cast<int>(q % strata));
    }
  }
  for (std::size_t i = 0; i < rankers; ++i) {
    for (std::size_t j = i + 1; j < rankers; ++j) {
      made.first.push_back(static_cast<int>(i));
      made.second.push_back(static_cast<int>(j));
      made.in_family.push_back(1);
    }
  }
  return made;
}

// The t statistic of one pair under one pattern, by its definition.
double slow_t(const Problem& x, std::size_t i, std::size_t j, std::uint64_t pattern) {
  const std::size_t strata = x.strata.empty()
                                 ? 1
                                 : 1 + static_cast<std::size_t>(*std::max_element(
                                           x.strata.begin(), x.strata.end()));
  double all_sum = 0.0;
  double variance = 0.0;
  double squares = 0.0;
  for (std::size_t f = 0; f < strata; ++f) {
    double n = 0.0;
    double weight = 0.0;
    double sum = 0.0;
    const auto each = [&](const auto& use) {
      for (std::size_t q = 0; q < x.queries; ++q) {
        if (x.strata.empty() || static_cast<std::size_t>(x.strata[q]) == f) {
          const double d = x.values[i * x.queries + q] - x.values[j * x.queries + q];
          const double w = x.weights.empty() ? 1.0 : x.weights[q];
          use(w, ((pattern >> q) & 1U) != 0 ? d : -d);
        }
      }
    };
    each([&](double w, double d) {
      n += 1.0;
      weight += w;
      sum += w * d;
    });
    double own = 0.0;
    each([&](double w, double d) {
      const double factor = strata > 1 ? weight / (weight - w) : n / (n - 1.0);
      own += factor * std::pow(w * (d - sum / weight), 2);
      squares += d * d;
    });
    variance += own;
    all_sum += sum;
  }
  if (squares < 1e-20) {
    return 0.0;
  }
  if (std::abs(all_sum) < 1e-9) {
    return 0.0;
  }
  if (variance < 1e-12) {
    return std::copysign(kInfinity, all_sum);
  }
  return all_sum / std::sqrt(variance);
}

double directed(double t, Alternative alternative) {
  return alternative == Alternative::kTwoSided  ? std::abs(t)
         : alternative == Alternative::kGreater ? t
                                                : -t;
}

double reached_from(double t) { return std::isfinite(t) ? t - 1e-9 * std::abs(t) : t; }

// Compares all counts, as fractions, with an enumeration of all patterns.
void check_enumerated(const Problem& x, Alternative alternative) {
  ThreadHost host(2);
  const JointFlips found = x.flip(alternative, 100, 1, host);
  REQUIRE(found.exact);
  const std::size_t pairs = x.first.size();
  const std::uint64_t patterns = std::uint64_t{1} << x.queries;
  const std::uint64_t all = patterns - 1;
  const auto t_of = [&](std::size_t pair, std::uint64_t pattern) {
    return slow_t(x, static_cast<std::size_t>(x.first[pair]),
                  static_cast<std::size_t>(x.second[pair]), pattern);
  };
  std::vector<double> observed(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    observed[pair] = t_of(pair, all);
    if (std::isfinite(observed[pair])) {
      CHECK(std::abs(found.statistic[pair] - observed[pair]) < 1e-9);
    } else {
      CHECK(found.statistic[pair] == observed[pair]);
    }
  }
  std::vector<double> best(x.rankers, -kInfinity);
  std::vector<std::uint64_t> single(pairs), stepped(pairs), best_count(x.rankers);
  const auto raise = [&](std::vector<double>& to, std::size_t pair, double t) {
    double& first = to[static_cast<std::size_t>(x.first[pair])];
    double& second = to[static_cast<std::size_t>(x.second[pair])];
    first = std::max(first, -t);
    second = std::max(second, t);
  };
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    raise(best, pair, observed[pair]);
  }
  for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
    std::vector<double> own(pairs);
    std::vector<double> own_best(x.rankers, -kInfinity);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double t = t_of(pair, pattern);
      raise(own_best, pair, t);
      own[pair] = directed(t, alternative);
    }
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double mine = directed(observed[pair], alternative);
      double largest = -kInfinity;
      double largest_below = -kInfinity;
      for (std::size_t other = 0; other < pairs; ++other) {
        if (x.in_family[other] == 0) {
          continue;
        }
        largest = std::max(largest, own[other]);
        // Pairs with equal observed statistics share one step here. In the package, the
        // caller of joint_flips() gives them equal p-values.
        if (directed(observed[other], alternative) <= mine + 1e-9) {
          largest_below = std::max(largest_below, own[other]);
        }
      }
      single[pair] += largest >= reached_from(mine) ? 1 : 0;
      stepped[pair] += largest_below >= reached_from(mine) ? 1 : 0;
    }
    for (std::size_t i = 0; i < x.rankers; ++i) {
      best_count[i] += own_best[i] >= reached_from(best[i]) ? 1 : 0;
    }
  }
  // joint_flips() leaves out queries without information. Each of them halves the number
  // of patterns.
  const double ratio =
      static_cast<double>(patterns) / static_cast<double>(found.patterns);
  const auto scaled = [&](std::uint64_t count) {
    return static_cast<double>(count) * ratio;
  };
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    if (x.in_family[pair] == 0) {
      CHECK(found.single[pair] == 0);
      continue;
    }
    CHECK(scaled(found.single[pair]) == static_cast<double>(single[pair]));
    CHECK(scaled(found.stepped[pair]) <= static_cast<double>(stepped[pair]));
    bool tied = false;
    for (std::size_t other = 0; other < pairs; ++other) {
      tied = tied ||
             (other != pair && std::abs(directed(observed[other], alternative) -
                                        directed(observed[pair], alternative)) < 1e-9);
    }
    if (!tied) {
      CHECK(scaled(found.stepped[pair]) == static_cast<double>(stepped[pair]));
    }
    // A statistic above `critical` has a p-value of at most .05.
    const double p = static_cast<double>(single[pair]) / static_cast<double>(patterns);
    CHECK((directed(observed[pair], alternative) > found.critical + 1e-9) == (p <= 0.05));
  }
  for (std::size_t i = 0; i < x.rankers; ++i) {
    CHECK(scaled(found.best[i]) == static_cast<double>(best_count[i]));
  }
}

}  // namespace

TEST_CASE("joint_flips() uses all patterns for few queries") {
  const Alternative alternatives[] = {Alternative::kTwoSided, Alternative::kGreater,
                                      Alternative::kLess};
  unsigned seed = 0;
  for (const bool weighted : {false, true}) {
    for (const std::size_t strata : {1U, 2U, 3U}) {
      for (const std::size_t rankers : {2U, 3U, 4U}) {
        ++seed;
        Problem x = problem_of(9, rankers, weighted, strata, seed);
        if (rankers == 4) {  // a control
          x.in_family = {1, 0, 1, 0, 0, 1};
        }
        check_enumerated(x, alternatives[seed % 3]);
      }
    }
  }
}

TEST_CASE(
    "joint_flips(): t is 0 for equal rankers and infinite for a constant difference") {
  ThreadHost host(1);
  Problem x = problem_of(6, 2, false, 1, 1);
  std::copy_n(x.values.begin(), 6, x.values.begin() + 6);
  const JointFlips equal = x.flip(Alternative::kTwoSided, 100, 1, host);
  CHECK(equal.exact);
  CHECK(equal.patterns == 1);
  CHECK(equal.statistic[0] == 0.0);
  CHECK(equal.single[0] == 1);
  CHECK(equal.marginal[0] == 1);
  for (std::size_t q = 0; q < 6; ++q) {
    x.values[q] = x.values[6 + q] + 0.25;
  }
  const JointFlips constant = x.flip(Alternative::kTwoSided, 100, 1, host);
  CHECK(constant.statistic[0] == kInfinity);
  CHECK(constant.single[0] == 2);
  CHECK(constant.patterns == 64);
}

TEST_CASE("joint_flips() with one pair is the sign-flip test of its sum") {
  ThreadHost one(1);
  ThreadHost three(3);
  const Problem x = problem_of(300, 2, false, 1, 5);
  const JointFlips found = x.flip(Alternative::kTwoSided, 20000, 3, one);
  CHECK(found.patterns == 20001);
  CHECK(found.single[0] == found.marginal[0]);
  CHECK(found.stepped[0] == found.marginal[0]);
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t q = 0; q < 300; ++q) {
    const double d = x.values[q] - x.values[300 + q];
    sum += d;
    squares += d * d;
  }
  // The normal approximation. The tolerance is five standard errors of a fraction of
  // 20,000 patterns, plus the distance of possible sums.
  const double p = std::erfc(std::abs(sum) / std::sqrt(2.0 * squares));
  const double own = static_cast<double>(found.marginal[0]) / 20001.0;
  CHECK(std::abs(own - p) < 5.0 * std::sqrt(0.25 / 20000.0) + 0.02);
}

TEST_CASE("joint_flips() and permuted_ranges() depend on the seed, not on threads") {
  ThreadHost one(1);
  ThreadHost three(3);
  const Problem x = problem_of(157, 6, true, 5, 8);
  const JointFlips a = x.flip(Alternative::kTwoSided, 3000, 3, one);
  const JointFlips b = x.flip(Alternative::kTwoSided, 3000, 3, three);
  CHECK(a.single == b.single);
  CHECK(a.stepped == b.stepped);
  CHECK(a.marginal == b.marginal);
  CHECK(a.best == b.best);
  CHECK(a.critical == b.critical);
  CHECK(x.flip(Alternative::kTwoSided, 3000, 4, one).critical != a.critical);
  const std::vector<double> ranges = permuted_ranges(x.view(), 500, 3, one);
  CHECK(ranges == permuted_ranges(x.view(), 500, 3, three));
  CHECK(ranges != permuted_ranges(x.view(), 500, 4, one));
}

TEST_CASE("permuted_ranges() makes every order of a query's values equally likely") {
  ThreadHost host(2);
  // With one query, the range does not change. With two queries of values 0, 1, 3,
  // there are nine sums of two shuffles.
  Problem one{1, 3, {0.0, 1.0, 3.0}, {}, {}, {}, {}, {}};
  for (const double range : permuted_ranges(one.view(), 50, 1, host)) {
    CHECK(range == 3.0);
  }
  Problem two{2, 3, {0.0, 0.0, 1.0, 1.0, 3.0, 3.0}, {}, {}, {}, {}, {}};
  // All 36 pairs of orders.
  std::vector<double> expected(13, 0.0);
  std::vector<double> a{0.0, 1.0, 3.0};
  do {
    std::vector<double> b{0.0, 1.0, 3.0};
    do {
      const std::vector<double> sums{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
      const auto ends = std::minmax_element(sums.begin(), sums.end());
      expected[static_cast<std::size_t>(std::lround(*ends.second - *ends.first))] +=
          1.0 / 36.0;
    } while (std::next_permutation(b.begin(), b.end()));
  } while (std::next_permutation(a.begin(), a.end()));
  std::vector<double> found(13, 0.0);
  for (const double range : permuted_ranges(two.view(), 20000, 1, host)) {
    found[static_cast<std::size_t>(std::lround(2.0 * range))] += 1.0 / 20000.0;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(std::abs(found[i] - expected[i]) < 5.0 * std::sqrt(0.25 / 20000.0));
  }
}

TEST_CASE("joint_flips() refuses sizes that do not fit") {
  ThreadHost host(1);
  Problem x = problem_of(5, 2, false, 1, 1);
  x.second[0] = 2;
  CHECK_THROWS_AS(x.flip(Alternative::kTwoSided, 100, 1, host), rankmix::InvalidArgument);
  Problem y = problem_of(5, 2, true, 1, 1);
  y.weights.pop_back();
  CHECK_THROWS_AS(y.flip(Alternative::kTwoSided, 100, 1, host), rankmix::InvalidArgument);
  const Problem lone{3, 1, {1.0, 2.0, 3.0}, {}, {}, {}, {}, {}};
  CHECK_THROWS_AS(permuted_ranges(lone.view(), 10, 1, host), rankmix::InvalidArgument);
}
