#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/compare/signed_rank.h"
#include "draw.h"

namespace {

using rankmix::compare::pseudo_median;
using rankmix::compare::signed_ranks;

// Half of the median of all pairwise sums.
double slow_pseudo_median(const std::vector<double>& d) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) {
      sums.push_back(d[i] + d[j]);
    }
  }
  std::sort(sums.begin(), sums.end());
  const std::size_t n = sums.size();
  return (sums[(n - 1) / 2] + sums[n / 2]) / 4.0;
}

}  // namespace

TEST_CASE("pseudo_median() is the median of all pairwise means, with ties") {
  std::mt19937_64 random(1);
  draw::Whole<int> tenths(-4, 6);
  draw::Normal<double> normal(0.1);
  for (std::size_t n = 1; n <= 60; ++n) {
    std::vector<double> tied(n), loose(n);
    for (std::size_t i = 0; i < n; ++i) {
      tied[i] = tenths(random) * 0.1;
      loose[i] = normal(random);
    }
    CHECK(pseudo_median(tied) == slow_pseudo_median(tied));
    CHECK(pseudo_median(loose) == slow_pseudo_median(loose));
  }
  std::vector<double> many(1500);
  for (double& d : many) {
    d = normal(random);
  }
  CHECK(pseudo_median(many) == slow_pseudo_median(many));
  CHECK(pseudo_median(std::vector<double>(700, 0.3)) == 0.3);
  CHECK_THROWS_AS(pseudo_median({}), rankmix::InvalidArgument);
}

TEST_CASE("signed_ranks() counts all signs of tied ranks") {
  std::mt19937_64 random(2);
  draw::Whole<int> small(-3, 4);
  for (std::size_t n = 1; n <= 10; ++n) {
    std::vector<double> d(n);
    for (double& x : d) {
      x = small(random);
    }
    const auto found = signed_ranks(d, 50);
    std::vector<double> nonzero;
    std::copy_if(d.begin(), d.end(), std::back_inserter(nonzero),
                 [](double x) { return x != 0.0; });
    const std::size_t count = nonzero.size();
    CHECK(found.count == count);
    CHECK(found.exact);
    // Twice the mean rank: twice the number of smaller values, plus the number of equal
    // values, plus 1.
    std::vector<double> ranks;
    for (const double x : nonzero) {
      double rank = 1.0;
      for (const double y : nonzero) {
        rank += std::abs(y) < std::abs(x) ? 2.0 : std::abs(y) == std::abs(x) ? 1.0 : 0.0;
      }
      ranks.push_back(rank);
    }
    double observed = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      observed += nonzero[i] > 0.0 ? ranks[i] : 0.0;
    }
    CHECK(found.positive_doubled == observed);
    double below = 0.0;
    double above = 0.0;
    const double one = std::ldexp(1.0, -static_cast<int>(count));
    for (std::size_t pattern = 0; pattern < std::size_t{1} << count; ++pattern) {
      double sum = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        sum += ((pattern >> i) & 1U) != 0 ? ranks[i] : 0.0;
      }
      below += sum <= observed ? one : 0.0;
      above += sum >= observed ? one : 0.0;
    }
    CHECK(found.below == below);
    CHECK(found.above == above);
  }
  const auto many = signed_ranks(std::vector<double>(51, 1.0), 50);
  CHECK(!many.exact);
  CHECK(many.ties == 51.0 * 51.0 * 51.0 - 51.0);
}
