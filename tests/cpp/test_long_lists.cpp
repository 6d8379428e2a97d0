// Compares objectives of long queries with loops over all pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/data/queries.h"
#include "core/objective/evaluate.h"
#include "core/objective/lambda.h"
#include "core/objective/lambda_sums.h"
#include "core/objective/logistic_sums.h"
#include "core/objective/pairwise.h"
#include "core/objective/soft_precision.h"
#include "core/objective/yeti.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using rankmix::View;
namespace objective = rankmix::objective;
using objective::LogisticKernel;

namespace {

using Numbers = std::vector<double>;

double naive(LogisticKernel kernel, double d) {
  const double e = std::exp(-std::abs(d));
  switch (kernel) {
    case LogisticKernel::kLoss:
      return std::max(d, 0.0) + std::log1p(e);
    case LogisticKernel::kFirst:
      return (d >= 0.0 ? 1.0 : e) / (1.0 + e);
    default:
      return e / ((1.0 + e) * (1.0 + e));
  }
}

// Decreasing scores with many ties, wide gaps, and groups of close scores.
Numbers draw_scores(std::size_t n, double spread, std::mt19937_64& random) {
  draw::Normal<double> normal;
  Numbers scores(n);
  for (double& score : scores) {
    score = spread * normal(random);
    if (random() % 4 == 0) {
      score = std::round(score);
    }
  }
  std::sort(scores.rbegin(), scores.rend());
  return scores;
}

double largest_difference(const Numbers& a, const Numbers& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

struct LongCase {
  Numbers scores;
  std::vector<int> grades;
  Numbers weights;
  std::vector<int> order;
  std::vector<int> offsets;

  objective::Documents documents() const {
    objective::Documents all;
    all.queries = {order, offsets};
    all.grades = grades;
    all.weights = weights;
    return all;
  }
};

LongCase draw_case(std::size_t n, double spread, int grades, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  LongCase made;
  made.scores = draw_scores(n, spread, random);
  std::shuffle(made.scores.begin(), made.scores.end(), random);
  for (std::size_t i = 0; i < n; ++i) {
    made.grades.push_back(static_cast<int>(random() % static_cast<unsigned>(grades)));
    made.weights.push_back(static_cast<double>(random() % 4) / 2.0);
  }
  made.order.resize(n);
  std::iota(made.order.begin(), made.order.end(), 0);
  made.offsets = {0, static_cast<int>(n)};
  return made;
}

struct Found {
  double value = 0.0;
  Numbers gradient;
  Numbers hessian;
  Numbers product;
};

Found find(const LongCase& on, std::size_t max_listed, bool queries_alike,
           const Numbers& direction) {
  ThreadHost host(2);
  objective::PairwiseOptions options;
  options.queries_alike = queries_alike;
  options.max_listed = max_listed;
  const objective::Pairwise loss(options);
  const std::size_t n = on.scores.size();
  Found found{0.0, Numbers(n), Numbers(n), Numbers(n)};
  found.value =
      objective::evaluate(loss, on.documents(), on.scores, host,
                          {{found.gradient.data(), n}, {found.hessian.data(), n}});
  objective::multiply_hessian(loss, on.documents(), on.scores, direction, host,
                              {found.product.data(), n});
  return found;
}

}  // namespace

TEST_CASE("sums of the logistic function equal a loop over pairs") {
  std::mt19937_64 random(1);
  draw::Normal<double> normal;
  for (double spread : {0.0, 0.3, 3.0, 30.0, 1000.0, 1e9}) {
    const std::size_t n = 300;
    const Numbers scores = draw_scores(n, spread, random);
    std::vector<std::uint32_t> x;
    std::vector<std::uint32_t> y;
    Numbers charges(n);
    double size = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      charges[i] = normal(random);
      size += std::abs(charges[i]);
      const auto side = random() % 3;  // 2: in both sets
      if (side != 0) {
        x.push_back(static_cast<std::uint32_t>(i));
      }
      if (side != 1) {
        y.push_back(static_cast<std::uint32_t>(i));
      }
    }
    objective::LogisticSums sums;
    sums.set_scores(scores);
    for (LogisticKernel kernel :
         {LogisticKernel::kLoss, LogisticKernel::kFirst, LogisticKernel::kSecond}) {
      Numbers of_x(n, 0.0);
      Numbers of_y(n, 0.0);
      const objective::LogisticTerm to_x{kernel, charges.data(), of_x.data()};
      const objective::LogisticTerm to_y{kernel, charges.data(), of_y.data()};
      sums.add(x, {&to_x, 1}, y, {&to_y, 1});
      Numbers expected_x(n, 0.0);
      Numbers expected_y(n, 0.0);
      for (std::uint32_t i : x) {
        for (std::uint32_t j : y) {
          const double f = naive(kernel, scores[j] - scores[i]);
          expected_x[i] += charges[j] * f;
          expected_y[j] += charges[i] * f;
        }
      }
      const double unit =
          kernel == LogisticKernel::kLoss ? size * std::max(1.0, spread) : size;
      CAPTURE(spread);
      CHECK(largest_difference(of_x, expected_x) < 1e-13 * unit);
      CHECK(largest_difference(of_y, expected_y) < 1e-13 * unit);
    }
  }
}

TEST_CASE("the logistic loss of a long query equals the sum over all its pairs") {
  std::mt19937_64 random(2);
  draw::Normal<double> normal;
  for (int grades : {2, 3, 5, 60}) {
    for (double spread : {0.0, 1.0, 20.0}) {
      for (bool alike : {false, true}) {
        const LongCase on = draw_case(400, spread, grades, random());
        Numbers direction(400);
        for (double& number : direction) {
          number = normal(random);
        }
        const Found fast = find(on, 0, alike, direction);
        const Found slow = find(on, 400, alike, direction);
        const double unit = alike ? 1.0 : 1e5;
        CHECK(std::abs(fast.value - slow.value) < 1e-12 * unit * std::max(1.0, spread));
        CHECK(largest_difference(fast.gradient, slow.gradient) < 1e-12 * unit);
        CHECK(largest_difference(fast.hessian, slow.hessian) < 1e-12 * unit);
        CHECK(largest_difference(fast.product, slow.product) < 1e-11 * unit);
        CHECK(*std::min_element(fast.hessian.begin(), fast.hessian.end()) >= 0.0);
      }
    }
  }
}

TEST_CASE("the loss of a long query is invariant to the order of its rows") {
  const LongCase on = draw_case(500, 2.0, 4, 3);
  std::vector<std::size_t> shuffled(500);
  std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(4));
  LongCase other = on;
  for (std::size_t i = 0; i < 500; ++i) {
    other.scores[i] = on.scores[shuffled[i]];
    other.grades[i] = on.grades[shuffled[i]];
    other.weights[i] = on.weights[shuffled[i]];
  }
  const Numbers direction(500, 1.0);
  const Found a = find(on, 0, false, direction);
  const Found b = find(other, 0, false, direction);
  CHECK(a.value == b.value);
  for (std::size_t i = 0; i < 500; ++i) {
    CHECK(a.gradient[shuffled[i]] == b.gradient[i]);
    CHECK(a.hessian[shuffled[i]] == b.hessian[i]);
  }
}

TEST_CASE("smooth average precision of a long query equals the sum over all its pairs") {
  std::mt19937_64 random(5);
  for (double sigma : {0.05, 1.0, 8.0}) {
    const std::size_t n = 300;
    const Numbers scores = draw_scores(n, 2.0, random);
    Numbers relevance(n);
    for (double& relevant : relevance) {
      relevant = random() % 3 == 0 ? 1.0 : 0.0;
    }
    Numbers gradients[2] = {Numbers(n), Numbers(n)};
    Numbers hessians[2] = {Numbers(n), Numbers(n)};
    double values[2];
    for (std::size_t k = 0; k < 2; ++k) {
      values[k] = objective::SoftPrecision(sigma, k == 0 ? 0 : n)
                      .evaluate(scores, relevance, {gradients[k].data(), n},
                                {hessians[k].data(), n});
    }
    CHECK(values[0] == doctest::Approx(values[1]).epsilon(1e-12));
    CHECK(largest_difference(gradients[0], gradients[1]) < 1e-11 / sigma);
    CHECK(largest_difference(hessians[0], hessians[1]) < 1e-11 / (sigma * sigma));
  }
}

TEST_CASE("lambdas of a long query with large ties equal sums over all its pairs") {
  std::mt19937_64 random(6);
  for (bool by_gap : {false, true}) {
    const std::size_t n = 300;
    Numbers scores(n);
    for (double& score : scores) {
      score = static_cast<double>(random() % 5);
    }
    std::sort(scores.rbegin(), scores.rend());
    Numbers gains(n);
    for (double& gain : gains) {
      gain = static_cast<double>(random() % 4);
    }
    // Tied documents are sorted by grade.
    for (std::size_t begin = 0; begin < n;) {
      std::size_t end = begin;
      while (end < n && scores[end] == scores[begin]) {
        ++end;
      }
      std::sort(gains.begin() + static_cast<std::ptrdiff_t>(begin),
                gains.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    Numbers discounts(n);
    for (std::size_t r = 0; r < n; ++r) {
      discounts[r] = 1.0 / static_cast<double>(r + 1);
    }
    Numbers gradients[2] = {Numbers(n), Numbers(n)};
    Numbers hessians[2] = {Numbers(n), Numbers(n)};
    double sums[2];
    for (std::size_t k = 0; k < 2; ++k) {
      objective::LambdaSums lambdas({1.0, 100, by_gap, k == 0 ? 0 : n});
      sums[k] = lambdas.evaluate(scores, gains, discounts,
                                 {{gradients[k].data(), n}, {hessians[k].data(), n}});
    }
    CHECK(sums[0] == doctest::Approx(sums[1]).epsilon(1e-12));
    CHECK(largest_difference(gradients[0], gradients[1]) < 1e-12 * sums[1]);
    CHECK(largest_difference(hessians[0], hessians[1]) < 1e-12 * sums[1]);
  }
}

TEST_CASE("the evaluation of a long query can be interrupted") {
  const LongCase on = draw_case(6000, 2.0, 5, 31);
  objective::Documents documents = on.documents();
  documents.weights = {};
  objective::YetiOptions options;
  options.grades = 5;
  options.grade_weights.assign(25, 1.0);
  const objective::Yeti yeti(options);
  const objective::Lambda lambda(objective_case::metric_named("average_precision", 6000),
                                 {});
  Numbers gradient(on.scores.size());
  Numbers hessian(on.scores.size());
  for (const objective::Objective* each :
       {static_cast<const objective::Objective*>(&yeti),
        static_cast<const objective::Objective*>(&lambda)}) {
    const auto run = [&](ThreadHost& host) {
      objective::evaluate(
          *each, documents, on.scores, host,
          {{gradient.data(), gradient.size()}, {hessian.data(), hessian.size()}});
    };
    ThreadHost host(1);
    host.interrupt_after(3);
    CHECK_THROWS_AS(run(host), rankmix::Interrupted);
    host.interrupt_after(1000000);
    run(host);
  }
  ThreadHost host(1);
  host.interrupt_after(3);
  CHECK_THROWS_AS(objective::visit_pairs(yeti, documents, on.scores, 0, host,
                                         [](const objective::Pair&) {}),
                  rankmix::Interrupted);
}
