// Lambdas: invariance to threads, registers and row order, and random orders and pairs.
// Tests in R compare the sums with loops over all pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/simd.h"
#include "core/objective/lambda.h"
#include "core/objective/pair_bias.h"
#include "objective_case.h"
#include "ranks.h"

using objective_case::Case;
using objective_case::evaluate;
using objective_case::Evaluated;
using objective_case::make_case;
using objective_case::metric_named;
using objective_case::shuffle_rows;
using rankmix::metric::kWholeList;
namespace objective = rankmix::objective;

namespace {

objective_case::Kind without_weights(bool tied) {
  objective_case::Kind kind;
  kind.tied_scores = tied;
  kind.weights = false;
  return kind;
}

objective::LambdaOptions with(std::size_t partners, std::size_t top, bool normal) {
  objective::LambdaOptions options;
  options.partners = partners;
  options.top = top;
  options.by_gap = normal;
  options.by_query = normal;
  return options;
}

Evaluated in_round(objective::Lambda on, const Case& data,
                   const std::vector<double>& scores, std::uint64_t stream,
                   unsigned threads = 1) {
  ThreadHost host(1);
  on.begin_round({0, stream}, data.documents(), scores, host);
  return evaluate(on, data, scores, threads);
}

bool same(const Evaluated& a, const Evaluated& b) {
  return a.gradient == b.gradient && a.hessian == b.hessian;
}

// A query of documents that tie in twos and threes.
Case tied_query() {
  Case data;
  data.grades = {0, 3, 1, 0, 2, 0, 4};
  data.scores = {0.5, 0.5, 0.5, 0.1, 0.1, 0.8, 0.1};
  data.order = {0, 1, 2, 3, 4, 5, 6};
  data.offsets = {0, 7};
  return data;
}

// The mean over all orders of tied documents. In each order, the scores of tied
// documents are moved slightly apart.
Evaluated over_orders(const objective::Lambda& on, const Case& data) {
  std::vector<int> order = data.order;
  Evaluated sums;
  sums.gradient.assign(data.rows(), 0.0);
  sums.hessian.assign(data.rows(), 0.0);
  double count = 0.0;
  do {
    std::vector<double> scores = data.scores;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] += 1e-10 * order[i];
    }
    const Evaluated one = evaluate(on, data, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      sums.gradient[i] += one.gradient[i];
      sums.hessian[i] += one.hessian[i];
    }
    count += 1.0;
  } while (std::next_permutation(order.begin(), order.end()));
  for (std::size_t i = 0; i < data.rows(); ++i) {
    sums.gradient[i] /= count;
    sums.hessian[i] /= count;
  }
  return sums;
}

// Whether the mean over rounds is within five standard errors of the expectation.
bool has_mean(const objective::Lambda& on, const Case& data, const Evaluated& wanted) {
  constexpr std::size_t rounds = 3000;
  std::vector<double> sum(data.rows(), 0.0);
  std::vector<double> squares(data.rows(), 0.0);
  std::vector<double> hessian(data.rows(), 0.0);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Evaluated one = in_round(on, data, data.scores, rankmix::mix_bits(round));
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const double off = one.gradient[i] - wanted.gradient[i];
      sum[i] += off;
      squares[i] += off * off;
      hessian[i] += one.hessian[i] / rounds;
    }
  }
  bool good = true;
  double spread = 0.0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    good = good && std::abs(sum[i]) <= 5.0 * std::sqrt(squares[i]) + 1e-6;
    good = good &&
           std::abs(hessian[i] - wanted.hessian[i]) <= 0.1 * wanted.hessian[i] + 1e-9;
    spread += squares[i];
  }
  return good && spread > 0.0;
}

}  // namespace

TEST_CASE("lambdas do not depend on threads, registers, rows and positions of queries") {
  for (bool tied : {false, true}) {
    const Case data = make_case(without_weights(tied));
    const auto shuffled = shuffle_rows(data, 5);
    for (const char* name : {"ndcg", "precision", "err", "average_precision"}) {
      for (const auto& options :
           {with(0, kWholeList, false), with(0, 3, true), with(2, kWholeList, true)}) {
        const objective::Lambda on(metric_named(name, 5), options);
        const Evaluated one = in_round(on, data, data.scores, 7);
        CHECK(same(in_round(on, data, data.scores, 7, 4), one));
        rankmix::allow_avx2(false);
        CHECK(same(in_round(on, data, data.scores, 7), one));
        rankmix::allow_avx2(true);
        const Evaluated other = in_round(on, shuffled.data, shuffled.data.scores, 7, 2);
        for (std::size_t i = 0; i < data.rows(); ++i) {
          CHECK(other.gradient[i] == one.gradient[shuffled.from[i]]);
          CHECK(other.hessian[i] == one.hessian[shuffled.from[i]]);
        }
      }
    }
  }
}

TEST_CASE("lambdas of a query sum to 0, and equal documents have equal lambdas") {
  Case data = make_case(without_weights(true));
  data.shifts.clear();
  for (const char* name : {"ndcg", "err", "reciprocal_rank"}) {
    for (std::size_t partners : {0, 1}) {
      const objective::Lambda on(metric_named(name, 10),
                                 with(partners, kWholeList, false));
      const Evaluated one = in_round(on, data, data.scores, 3);
      for (std::size_t q = 0; q < data.queries(); ++q) {
        double sum = 0.0;
        double size = 0.0;
        for (int row = data.offsets[q]; row < data.offsets[q + 1]; ++row) {
          const auto i = static_cast<std::size_t>(row);
          sum += one.gradient[i];
          size += std::abs(one.gradient[i]);
          for (int other = data.offsets[q]; other < row; ++other) {
            const auto j = static_cast<std::size_t>(other);
            CHECK((data.scores[i] != data.scores[j] || data.grades[i] != data.grades[j] ||
                   one.gradient[i] == one.gradient[j]));
          }
        }
        CHECK(std::abs(sum) <= 1e-14 * size);
      }
    }
  }
}

TEST_CASE("random orders and pairs have the mean over all orders and pairs") {
  const Case data = tied_query();
  for (const char* name : {"err", "average_precision", "reciprocal_rank"}) {
    const objective::Lambda on(metric_named(name, 4), {});
    CHECK(has_mean(on, data, over_orders(on, data)));
  }
  for (const char* name : {"ndcg", "err"}) {
    const objective::Lambda all(metric_named(name, 4), {});
    const Evaluated wanted = over_orders(all, data);
    for (std::size_t partners : {1, 3}) {
      CHECK(has_mean(
          objective::Lambda(metric_named(name, 4), with(partners, kWholeList, false)),
          data, wanted));
    }
  }
}

TEST_CASE("sums over ranks have the mean over orders to the last digits") {
  const Case data = tied_query();
  for (std::size_t top : {std::size_t{1}, std::size_t{2}, kWholeList}) {
    const objective::Lambda on(metric_named("ndcg", 5), with(0, top, false));
    const Evaluated mean = over_orders(on, data);
    const Evaluated one = evaluate(on, data, data.scores);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      CHECK(std::abs(one.gradient[i] - mean.gradient[i]) <= 1e-9);
      CHECK(std::abs(one.hessian[i] - mean.hessian[i]) <= 1e-9);
    }
  }
}

TEST_CASE("lambdas of distant scores stay finite and decrease with the difference") {
  Case data = tied_query();
  data.grades = {0, 1, 2, 0, 1, 3, 4};
  for (const char* name : {"ndcg", "err"}) {
    const objective::Lambda on(metric_named(name, kWholeList), {});
    double last = 1e300;
    for (double times : {1.0, 10.0, 100.0, 1000.0, 1e6, 1e300}) {
      std::vector<double> scores(data.rows());
      double size = 0.0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i] = times * (data.grades[i] + 0.1 * static_cast<double>(i));
      }
      const Evaluated one = evaluate(on, data, scores);
      for (double gradient : one.gradient) {
        size += std::abs(gradient);
      }
      CHECK((size < last || size < 1e-100));
      last = size;
      // With reversed scores, all gradients must be finite, too.
      for (double& score : scores) {
        score = -score;
      }
      for (double gradient : evaluate(on, data, scores).gradient) {
        CHECK(std::isfinite(gradient));
      }
    }
    CHECK(last < 1e-100);
  }
}

TEST_CASE("impossible options and metrics without swaps are refused") {
  objective::LambdaOptions options;
  options.sigma = 0.0;
  CHECK_THROWS_AS(objective::Lambda(metric_named("ndcg", 10), options),
                  rankmix::InvalidArgument);
  const Case data = make_case(without_weights(true));
  for (const char* name : {"bpref", "success"}) {
    CHECK_THROWS_AS(evaluate(objective::Lambda(metric_named(name, kWholeList), {}), data,
                             data.scores),
                    rankmix::InvalidArgument);
  }
}

TEST_CASE("weights of documents multiply the gradients and hessians of lambdas") {
  const objective::Lambda on(metric_named("ndcg", 10), {});
  Case data = make_case({});
  const Evaluated weighted = evaluate(on, data, data.scores);
  const std::vector<double> weights = data.weights;
  data.weights.clear();
  const Evaluated plain = evaluate(on, data, data.scores);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    CHECK(weighted.gradient[i] ==
          doctest::Approx(weights[i] * plain.gradient[i]).epsilon(1e-12));
    CHECK(weighted.hessian[i] ==
          doctest::Approx(weights[i] * plain.hessian[i]).epsilon(1e-12));
  }
}

TEST_CASE("all ranks refuse numbers that are no positions") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  const double most = objective::kMaxPosition;
  for (double wrong : {-5.0, 0.0, 1.5, most + 1, 2e9, 1e300, infinite, nan}) {
    CAPTURE(wrong);
    run_ranks(2, 1, [&](std::size_t rank, rankmix::Host& host) {
      const std::vector<double> positions{2.0, rank == 0 ? 1.0 : wrong, 3.0};
      CHECK_THROWS_AS(objective::first_factors(positions, host),
                      rankmix::InvalidArgument);
    });
  }
  ThreadHost host(1);
  CHECK(objective::last_position({}, host) == 0);
  CHECK(objective::last_position(std::vector<double>{1.0, most, 2.0}, host) == most);
  // Factors up to position 3 only.
  objective::PairFactors factors =
      objective::first_factors(std::vector<double>{1.0, 3.0}, host);
  const std::vector<double> losses{1.0, 1.0};
  for (double wrong : {4.0, 0.0, 1e300, nan}) {
    CHECK_THROWS_AS(objective::learn_factors(std::vector<double>{1.0, wrong}, losses,
                                             losses, 1.0, host, factors),
                    rankmix::InvalidArgument);
  }
}
