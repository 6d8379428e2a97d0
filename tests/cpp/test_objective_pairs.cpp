// Compares pairwise losses with sums over all pairs.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/objective/evaluate.h"
#include "core/objective/pairwise.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
using objective_case::Kind;
using objective_case::make_case;
using rankmix::objective::PairLoss;
namespace objective = rankmix::objective;

namespace {

struct Derivatives {
  double value;
  double first;
  double second;
};

Derivatives naive_loss(const objective::PairwiseOptions& options, double d) {
  if (options.loss == PairLoss::kLogistic) {
    const double p = 1.0 / (1.0 + std::exp(d));
    return {std::log(1.0 + std::exp(-d)), -p, p * (1.0 - p)};
  }
  const double lacking = std::max(0.0, options.margin - d);
  const bool met = d >= options.margin;
  if (options.loss == PairLoss::kHinge) {
    return {lacking, met ? 0.0 : -1.0, 0.0};
  }
  if (options.loss == PairLoss::kSquaredHinge) {
    return {lacking * lacking, -2.0 * lacking, met ? 0.0 : 2.0};
  }
  if (lacking > options.width) {
    return {lacking - options.width / 2.0, -1.0, 0.0};
  }
  return {lacking * lacking / 2.0 / options.width, -lacking / options.width,
          met ? 0.0 : 1.0 / options.width};
}

struct Naive : Evaluated {
  std::vector<double> product;
};

Naive naive_pairs(const objective::PairwiseOptions& options, const Case& data,
                  const std::vector<double>& v) {
  Naive all;
  all.gradient.assign(data.rows(), 0.0);
  all.hessian.assign(data.rows(), 0.0);
  all.product.assign(data.rows(), 0.0);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto begin = static_cast<std::size_t>(data.offsets[q]);
    const auto end = static_cast<std::size_t>(data.offsets[q + 1]);
    double pairs = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = begin; j < end; ++j) {
        pairs +=
            data.grades[i] > data.grades[j] ? data.weights[i] * data.weights[j] : 0.0;
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = begin; j < end; ++j) {
        // All pairs of a query may have the weight 0.
        const double w = data.query_weights[q] * data.weights[i] * data.weights[j] /
                         (options.queries_alike && pairs > 0.0 ? pairs : 1.0);
        if (data.grades[i] <= data.grades[j] || w == 0.0) {
          continue;
        }
        const Derivatives part =
            naive_loss(options, (data.scores[i] + data.shifts[i]) -
                                    (data.scores[j] + data.shifts[j]));
        const double unit = options.loss == PairLoss::kHinge ? 1.0 : part.second;
        all.value += w * part.value;
        all.gradient[i] += w * part.first;
        all.gradient[j] -= w * part.first;
        all.hessian[i] += w * unit;
        all.hessian[j] += w * unit;
        all.product[i] += w * part.second * (v[i] - v[j]);
        all.product[j] += w * part.second * (v[j] - v[i]);
      }
    }
  }
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

// The tolerance: one rounding error for each pair of a query. A term can be as large as
// w_i w_j times a few squares of scores.
double close_to(const Case& data) {
  double sum = 0.0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    sum = std::max(sum, static_cast<double>(data.offsets[q + 1] - data.offsets[q]));
  }
  return std::numeric_limits<double>::epsilon() * 16.0 * sum * sum;
}

void compare(const objective::PairwiseOptions& options, const Case& data) {
  const objective::Pairwise on(options);
  std::mt19937_64 random(3);
  draw::Normal<double> normal;
  std::vector<double> v(data.rows());
  std::generate(v.begin(), v.end(), [&] { return normal(random); });
  const Naive naive = naive_pairs(options, data, v);
  const Evaluated fast = evaluate(on, data, data.scores);
  ThreadHost host(2);
  std::vector<double> product(data.rows(), -7.0);
  objective::multiply_hessian(on, data.documents(), data.scores, v, host,
                              {product.data(), product.size()});
  CHECK(std::abs(fast.value - naive.value) <= close_to(data) * naive.value);
  CHECK(largest_difference(fast.gradient, naive.gradient) <= close_to(data));
  CHECK(largest_difference(fast.hessian, naive.hessian) <= close_to(data));
  CHECK(largest_difference(product, naive.product) <= close_to(data));
}

std::vector<objective::PairwiseOptions> all_options() {
  std::vector<objective::PairwiseOptions> all;
  for (PairLoss loss : {PairLoss::kLogistic, PairLoss::kHinge, PairLoss::kSquaredHinge}) {
    all.push_back({loss, false});
    all.push_back({loss, true});
  }
  for (double margin : {1.0, 0.7}) {
    all.push_back({PairLoss::kSmoothHinge, margin == 1.0, margin, 0.2});
    all.push_back({PairLoss::kHinge, true, margin});
  }
  return all;
}

}  // namespace

TEST_CASE("pairwise losses equal sums over all pairs") {
  for (const objective::PairwiseOptions& options : all_options()) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      Kind kind;
      kind.seed = seed;
      kind.longest = seed == 1 ? 200 : 20;
      Case data = make_case(kind);
      if (seed == 2) {  // as many grades as documents, or nearly so
        std::mt19937_64 random(seed);
        for (int& grade : data.grades) {
          grade = static_cast<int>(random() % 1000);
        }
      }
      compare(options, data);
      data.weights.assign(data.rows(), 1.0);
      compare(options, data);
    }
  }
}

TEST_CASE("a margin that is met exactly is treated alike for both documents") {
  Case data;
  data.order = {0, 1, 2, 3};
  data.offsets = {0, 4};
  data.grades = {1, 0, 2, 0};
  // The difference of the first two scores is exactly 1, the margin.
  data.scores = {1.0, 0.0, 0.3, -0.7};
  data.weights.assign(4, 1.0);
  data.query_weights = {1.0};
  data.shifts.assign(4, 0.0);
  for (const objective::PairwiseOptions& options : all_options()) {
    compare(options, data);
    const Evaluated here = evaluate(objective::Pairwise(options), data, data.scores);
    CHECK(std::abs(here.gradient[0] + here.gradient[1] + here.gradient[2] +
                   here.gradient[3]) < 1e-15);
  }
}

TEST_CASE("gradients and hessians equal sums over the reported pairs") {
  for (const objective::PairwiseOptions& options : all_options()) {
    const Case data = make_case({});
    const objective::Pairwise on(options);
    const Evaluated here = evaluate(on, data, data.scores);
    std::vector<double> gradient(data.rows(), 0.0);
    std::vector<double> hessian(data.rows(), 0.0);
    ThreadHost host(1);
    for (std::size_t q = 0; q < data.queries(); ++q) {
      objective::visit_pairs(
          on, data.documents(), data.scores, q, host, [&](const objective::Pair& pair) {
            const double difference =
                (data.scores[pair.upper] + data.shifts[pair.upper]) -
                (data.scores[pair.lower] + data.shifts[pair.lower]);
            const double change = pair.weight * (difference - pair.difference);
            gradient[pair.upper] += change;
            gradient[pair.lower] -= change;
            hessian[pair.upper] += pair.weight;
            hessian[pair.lower] += pair.weight;
            CHECK(data.grades[pair.upper] > data.grades[pair.lower]);
          });
    }
    CHECK(largest_difference(gradient, here.gradient) <= close_to(data));
    // On the linear part of the smooth hinge the second derivative is 0, and the code
    // uses a bound instead.
    if (options.loss != PairLoss::kSmoothHinge) {
      CHECK(largest_difference(hessian, here.hessian) <= close_to(data));
    }
  }
}

TEST_CASE("products with several directions equal products with each direction") {
  for (const objective::PairwiseOptions& options : all_options()) {
    const auto mixed = objective_case::shuffle_rows(make_case({}), 2);
    const Case& data = mixed.data;
    const objective::Pairwise on(options);
    std::mt19937_64 random(5);
    draw::Normal<double> normal;
    std::vector<double> v(data.rows());
    std::generate(v.begin(), v.end(), [&] { return normal(random); });
    ThreadHost host(1);
    std::vector<double> all(data.rows(), -7.0);
    objective::multiply_hessian(on, data.documents(), data.scores, v, host,
                                {all.data(), all.size()});
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto rows = data.documents().queries.rows_of(q);
      std::vector<double> directions(2 * rows.size(), 0.0);
      std::vector<double> products(2 * rows.size(), -7.0);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        directions[rows.size() + k] = v[static_cast<std::size_t>(rows[k])];
      }
      objective::multiply_hessian_of_query(on, data.documents(), data.scores, q,
                                           {directions.data(), rows.size(), 2},
                                           {products.data(), rows.size(), 2});
      for (std::size_t k = 0; k < rows.size(); ++k) {
        CHECK(products[k] == 0.0);
        CHECK(products[rows.size() + k] == all[static_cast<std::size_t>(rows[k])]);
      }
    }
  }
}

TEST_CASE("impossible losses of pairs are refused") {
  auto refused = [](double margin, double width) {
    CHECK_THROWS_AS(objective::Pairwise({PairLoss::kSmoothHinge, false, margin, width}),
                    rankmix::InvalidArgument);
  };
  refused(0.0, 0.1);
  refused(1.0, 0.0);
  refused(1.0, 1.5);
}

TEST_CASE("logistic losses of distant scores neither overflow nor vanish") {
  Case data = make_case({});
  for (double& score : data.scores) {
    score *= 1e4;
  }
  const objective::Pairwise on({PairLoss::kLogistic, false});
  const Evaluated here = evaluate(on, data, data.scores);
  CHECK(std::isfinite(here.value));
  data.order = {0, 1};
  data.offsets = {0, 2};
  data.grades = {1, 0};
  data.scores = {50.0, 0.0};
  data.weights = {1.0, 1.0};
  data.query_weights = {1.0};
  data.shifts.clear();
  const Evaluated tiny = evaluate(on, data, data.scores);
  CHECK(std::abs(tiny.value - std::exp(-50.0)) <= 1e-14 * std::exp(-50.0));
  CHECK(std::abs(tiny.gradient[1] - std::exp(-50.0)) <= 1e-14 * std::exp(-50.0));
}

TEST_CASE("logistic losses have the same bits with registers of any width") {
  Kind kind;
  kind.longest = 150;
  const Case data = make_case(kind);
  const objective::Pairwise on({PairLoss::kLogistic, false});
  const Evaluated wide = evaluate(on, data, data.scores);
  rankmix::allow_avx2(false);
  const Evaluated plain = evaluate(on, data, data.scores);
  rankmix::allow_avx2(true);
  CHECK(wide.value == plain.value);
  CHECK(wide.gradient == plain.gradient);
  CHECK(wide.hessian == plain.hessian);
}
