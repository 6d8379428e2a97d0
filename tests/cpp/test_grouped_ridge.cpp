// Compares regressions by groups with a separate ridge regression for each problem, on
// document weights.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/linear/ridge.h"
#include "core/linear/scaling.h"
#include "core/regress/grouped_ridge.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::View;
namespace linear = rankmix::linear;
namespace regress = rankmix::regress;

namespace {

struct Case {
  std::size_t rows;
  std::size_t columns;
  std::size_t groups;
  std::size_t problems;
  std::vector<double> x;
  std::vector<int> group;
  std::vector<double> weights;
  std::vector<double> times;    // groups x problems
  std::vector<double> targets;  // groups x problems

  MatrixView<const double> view() const { return {x.data(), rows, columns}; }
};

// The last feature is constant. The feature before it is constant in the first group.
Case make_case(std::size_t rows, bool weighted, unsigned seed) {
  Case made{rows, 5, 4, 3, {}, {}, {}, {}, {}};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  draw::Whole<int> any(0, 3);
  for (std::size_t i = 0; i < rows; ++i) {
    made.group.push_back(i < 4 ? static_cast<int>(i) : any(random));
    if (weighted) {
      made.weights.push_back(i % 7 == 0 ? 0.0 : std::exp(normal(random)));
    }
  }
  for (std::size_t j = 0; j < made.columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = 3.0 + normal(random) + 0.5 * made.group[i];
      made.x.push_back(j + 1 == made.columns                         ? 7.0
                       : j + 2 == made.columns && made.group[i] == 0 ? 1.25
                                                                     : value);
    }
  }
  for (std::size_t k = 0; k < made.problems; ++k) {
    for (std::size_t g = 0; g < made.groups; ++g) {
      made.times.push_back(k == 2 ? (g < 2 ? 1.0 : 0.0) : std::exp(normal(random)));
      made.targets.push_back(k == 0 ? static_cast<double>(g >= 2) : normal(random));
    }
  }
  return made;
}

std::vector<linear::RidgePath> solve(const Case& of, const std::vector<double>& penalties,
                                     rankmix::Host& host) {
  linear::Scaling scaling =
      linear::find_scaling(of.view(), linear::ScalingRule::kStandard, host, of.weights);
  scaling.bias = true;
  return regress::grouped_ridge(*linear::features_of(of.view(), scaling), of.group,
                                of.weights,
                                {{of.times.data(), of.groups, of.problems},
                                 {of.targets.data(), of.groups, of.problems}},
                                penalties, host);
}

// One problem as a separate ridge regression.
linear::RidgePath reference(const Case& of, std::size_t problem,
                            const std::vector<double>& penalties, rankmix::Host& host) {
  std::vector<double> weights;
  std::vector<double> targets;
  for (std::size_t i = 0; i < of.rows; ++i) {
    const std::size_t at = problem * of.groups + static_cast<std::size_t>(of.group[i]);
    weights.push_back(of.times[at] * (of.weights.empty() ? 1.0 : of.weights[i]));
    targets.push_back(of.targets[at]);
  }
  return linear::ridge_path(
      *linear::features_of(
          of.view(),
          linear::find_scaling(of.view(), linear::ScalingRule::kStandard, host, weights)),
      targets, weights, penalties, host);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("regressions by groups equal ridge regressions on the documents") {
  ThreadHost host(1);
  const std::vector<double> penalties{0.0, 0.1, 10.0};
  for (std::size_t rows : {40, 3000}) {
    for (bool weighted : {false, true}) {
      const Case of = make_case(rows, weighted, 3);
      const std::vector<linear::RidgePath> paths = solve(of, penalties, host);
      CHECK(paths.size() == of.problems);
      for (std::size_t k = 0; k < of.problems; ++k) {
        const linear::RidgePath expected = reference(of, k, penalties, host);
        CHECK(difference(paths[k].weights, expected.weights) < 1e-9);
        CHECK(difference(paths[k].intercepts, expected.intercepts) < 1e-8);
        CHECK(difference(paths[k].freedom, expected.freedom) < 1e-8);
        CHECK(paths[k].rank == expected.rank);
      }
    }
  }
}

TEST_CASE("regressions by groups are the same on any number of threads") {
  const Case of = make_case(5000, true, 5);
  ThreadHost one(1);
  ThreadHost four(4);
  const auto a = solve(of, {0.5}, one);
  const auto b = solve(of, {0.5}, four);
  for (std::size_t k = 0; k < of.problems; ++k) {
    CHECK(a[k].weights == b[k].weights);
    CHECK(a[k].intercepts == b[k].intercepts);
  }
}

TEST_CASE("features that are constant in the weighted groups get weight 0") {
  Case of = make_case(60, false, 7);
  // In the first problem, only the first group has weight.
  of.times = {1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0};
  ThreadHost host(1);
  const auto paths = solve(of, {0.0}, host);
  CHECK(paths[0].weights[3] == 0.0);
  CHECK(paths[0].weights[4] == 0.0);
  CHECK(paths[1].weights[3] != 0.0);
  CHECK(paths[1].weights[4] == 0.0);
}

TEST_CASE("impossible groups and problems without documents throw") {
  ThreadHost host(1);
  Case of = make_case(40, false, 9);
  of.group[3] = 4;
  CHECK_THROWS_AS(solve(of, {1.0}, host), rankmix::InvalidArgument);
  of = make_case(40, false, 9);
  of.times[0] = of.times[1] = of.times[2] = of.times[3] = 0.0;
  CHECK_THROWS_AS(solve(of, {1.0}, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(solve(make_case(40, false, 9), {-1.0}, host), rankmix::InvalidArgument);
}
