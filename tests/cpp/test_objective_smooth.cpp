// Compares smooth metrics with their formulas and with metrics.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/dcg.h"
#include "core/objective/evaluate.h"
#include "core/objective/smooth.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Kind;
using objective_case::make_case;
using rankmix::metric::kWholeList;
namespace metric = rankmix::metric;
namespace objective = rankmix::objective;

namespace {

Kind without_weights(bool tied_scores) {
  Kind kind;
  kind.weights = false;
  kind.tied_scores = tied_scores;
  return kind;
}

// The soft NDCG, directly by its formula.
double naive_soft_ndcg(std::vector<double> v, std::vector<double> z, double sigma,
                       std::size_t k) {
  std::vector<std::size_t> j(v.size());
  std::iota(j.begin(), j.end(), std::size_t{0});
  std::stable_sort(j.begin(), j.end(),
                   [&](std::size_t a, std::size_t b) { return v[a] > v[b]; });
  double sum = 0.0;
  for (std::size_t r = 0; r < std::min(k, v.size()); ++r) {
    double weights = 0.0;
    double gains = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double h = std::exp(-std::pow(v[j[r]] - v[i], 2.0) / sigma);
      weights += h;
      gains += h * z[i];
    }
    sum += gains / weights / std::log2(static_cast<double>(r) + 2.0);
  }
  std::sort(z.rbegin(), z.rend());
  double best = 0.0;
  for (std::size_t r = 0; r < std::min(k, v.size()); ++r) {
    best += z[r] / std::log2(static_cast<double>(r) + 2.0);
  }
  return best > 0.0 ? sum / best : 0.0;
}

objective::Smooth smooth_ndcg(std::vector<double> sigmas, std::size_t k) {
  return {objective_case::metric_named("ndcg", k),
          {std::move(sigmas), objective::SmoothForm::kRanks}};
}

// Whether the documents of a query differ in grade. Other queries are ignored.
bool differ(const Case& data, std::size_t q) {
  for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
    if (data.grades[static_cast<std::size_t>(row)] !=
        data.grades[static_cast<std::size_t>(data.offsets[q])]) {
      return true;
    }
  }
  return false;
}

double value_of(const objective::Objective& on, const Case& data) {
  return evaluate(on, data, data.scores).value;
}

}  // namespace

TEST_CASE("the soft NDCG equals its formula, with and without a cut-off") {
  const Case data = make_case(without_weights(true));
  for (std::size_t k : {std::size_t{1}, std::size_t{5}, kWholeList}) {
    for (double sigma : {0.01, 1.0}) {
      double naive = 0.0;
      for (std::size_t q = 0; q < data.queries(); ++q) {
        std::vector<double> v;
        std::vector<double> z;
        for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
          const auto i = static_cast<std::size_t>(row);
          v.push_back(data.scores[i] + data.shifts[i]);
          z.push_back(data.targets[i]);
        }
        if (differ(data, q)) {
          naive += data.query_weights[q] * naive_soft_ndcg(v, z, sigma, k);
        }
      }
      const double fast = value_of(smooth_ndcg({sigma}, k), data);
      CHECK(std::abs(fast + naive) <= 1e-12 * naive);
    }
  }
}

TEST_CASE("the soft NDCG converges to NDCG as sigma goes to 0") {
  const Case data = make_case(without_weights(false));
  ThreadHost host(2);
  for (std::size_t k : {std::size_t{1}, std::size_t{3}, std::size_t{10}, kWholeList}) {
    metric::MetricOptions options;
    options.k = k;
    std::vector<std::unique_ptr<metric::Metric>> metrics;
    metrics.push_back(std::make_unique<metric::Ndcg>(
        options, metric::Gains({0, 1, 3, 7, 15}), metric::Discounts::log2(100)));
    std::vector<double> values(data.queries());
    metric::evaluate(metrics, {data.scores.data()}, {data.grades, {}},
                     {data.order, data.offsets}, host, {values.data(), values.size(), 1});
    double sum = 0.0;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      sum += differ(data, q) ? data.query_weights[q] * values[q] : 0.0;
    }
    // Scores differ by at least 0.03, and exp(-0.03^2 / sigma) is 0.
    const double soft = value_of(smooth_ndcg({1e-6}, k), data);
    CHECK(std::abs(soft + sum) <= 1e-13 * sum);
    CHECK(std::abs(value_of(smooth_ndcg({0.1}, k), data) + sum) > 0.01);
  }
}

TEST_CASE("the soft NDCG has stages of decreasing sigma") {
  const Case data = make_case(without_weights(true));
  objective::Smooth annealed = smooth_ndcg({1.0, 0.1, 0.01}, 10);
  CHECK(annealed.stages() == 3);
  CHECK(value_of(annealed, data) == value_of(smooth_ndcg({1.0}, 10), data));
  annealed.begin_stage(2);
  CHECK(value_of(annealed, data) == value_of(smooth_ndcg({0.01}, 10), data));
  CHECK_THROWS_AS(annealed.begin_stage(3), rankmix::InvalidArgument);
}

TEST_CASE("impossible options, weights and metrics are refused") {
  CHECK_THROWS_AS(smooth_ndcg({}, 10), rankmix::InvalidArgument);
  CHECK_THROWS_AS(smooth_ndcg({1.0, 0.0}, 10), rankmix::InvalidArgument);
  const Case unweighted = make_case(without_weights(true));
  CHECK_THROWS_AS(
      value_of(objective::Smooth(objective_case::metric_named("bpref", kWholeList), {}),
               unweighted),
      rankmix::InvalidArgument);
  CHECK_THROWS_AS(objective::Smooth(objective_case::metric_named("ndcg", kWholeList),
                                    {{1.0}, objective::SmoothForm::kLogistic, 0}),
                  rankmix::InvalidArgument);
  const objective::Smooth on = smooth_ndcg({1.0}, 10);
  const Case weighted = make_case({});
  CHECK_THROWS_AS(objective::check_documents(on, weighted.documents()),
                  rankmix::InvalidArgument);
  Case bare = make_case(without_weights(true));
  bare.grades.clear();
  CHECK_THROWS_AS(objective::check_documents(on, bare.documents()),
                  rankmix::InvalidArgument);
}

TEST_CASE("from the first round on, tied documents are separated by their gains") {
  objective::Smooth on = smooth_ndcg({0.5}, 10);
  const Case data = make_case(without_weights(true));
  const std::vector<double> ties(data.rows(), 0.3);
  Case plain = data;
  plain.shifts.clear();
  const auto tied = evaluate(on, plain, ties);
  CHECK(std::count(tied.gradient.begin(), tied.gradient.end(), 0.0) ==
        static_cast<std::ptrdiff_t>(plain.rows()));
  ThreadHost host(1);
  on.begin_round({0, 1}, plain.documents(), ties, host);
  const auto out = evaluate(on, plain, ties);
  for (std::size_t q = 0; q < plain.queries(); ++q) {
    for (int i = plain.offsets[q]; i + 1 < plain.offsets[q + 1]; ++i) {
      const auto a = static_cast<std::size_t>(i);
      // The objective is minimised, so the higher grade has the lower gradient.
      const double change = out.gradient[a + 1] - out.gradient[a];
      const int higher = plain.grades[a] - plain.grades[a + 1];
      CHECK((plain.query_weights[q] == 0.0 || (change > 0.0) == (higher > 0)));
      CHECK((change == 0.0) == (higher == 0 || plain.query_weights[q] == 0.0));
    }
  }
}

TEST_CASE("the first rounds of both forms fit gains by least squares") {
  const Case data = make_case(without_weights(false));
  Case plain = data;
  plain.shifts.clear();
  const std::vector<double>& f = plain.scores;
  for (const auto form :
       {objective::SmoothForm::kRanks, objective::SmoothForm::kLogistic}) {
    const char* name =
        form == objective::SmoothForm::kRanks ? "ndcg" : "average_precision";
    // The width is so small that the scores of no query are near each other.
    const double sigma = 1e-6;
    const double width = form == objective::SmoothForm::kRanks ? 1e-3 : sigma;
    objective::Smooth on(objective_case::metric_named(name, kWholeList),
                         {{sigma}, form, 2});
    const auto before = evaluate(on, plain, f);
    ThreadHost host(1);
    on.begin_round({1, 1}, plain.documents(), f, host);
    const auto warm = evaluate(on, plain, f);
    for (std::size_t q = 0; q < plain.queries(); ++q) {
      const int begin = plain.offsets[q];
      const int end = plain.offsets[q + 1];
      const double n = end - begin;
      double mean = 0.0;
      double mean_f = 0.0;
      double squares = 0.0;
      bool differ = false;
      const auto gain_of = [&](int i) {
        const int grade = plain.grades[static_cast<std::size_t>(i)];
        return form == objective::SmoothForm::kRanks ? std::exp2(grade) - 1.0
                                                     : (grade >= 2 ? 1.0 : 0.0);
      };
      for (int i = begin; i < end; ++i) {
        differ = differ || gain_of(i) != gain_of(begin);
        mean += gain_of(i) / n;
        mean_f += f[static_cast<std::size_t>(i)] / n;
      }
      for (int i = begin; i < end; ++i) {
        squares += std::pow(gain_of(i) - mean, 2.0) / n;
      }
      for (int i = begin; i < end; ++i) {
        const auto a = static_cast<std::size_t>(i);
        const double wanted =
            differ ? 8.0 * width * (gain_of(i) - mean) / std::sqrt(squares) : 0.0;
        const double gradient =
            differ ? (f[a] - mean_f - wanted) / (n * width * width) : 0.0;
        // The rounding error of scores of about 1, divided by the square of the width.
        CHECK(std::abs(warm.gradient[a] - gradient * plain.query_weights[q]) <=
              1e-13 / (width * width));
      }
    }
    on.begin_round({2, 1}, plain.documents(), f, host);
    CHECK(evaluate(on, plain, f).gradient == before.gradient);
  }
}
