// Linear models of objectives: compares the reported values and gaps with sums over all
// pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/linear/objective_path.h"
#include "core/linear/scaling.h"
#include "core/objective/evaluate.h"
#include "core/objective/softmax.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using rankmix::MatrixView;
using rankmix::objective::PairLoss;
using rankmix::objective::Pairwise;
using rankmix::objective::PairwiseOptions;
using rankmix::optimize::Status;
namespace linear = rankmix::linear;
namespace objective = rankmix::objective;

namespace {

// Documents whose grades depend on their features.
struct Judged : Case {
  std::size_t columns = 0;
  std::vector<double> x;
  MatrixView<const double> view() const { return {x.data(), rows(), columns}; }
};

Judged judged(int queries, std::size_t columns, unsigned seed) {
  Judged made;
  made.columns = columns;
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (int q = 0; q < queries; ++q) {
    const int size = q % 5 == 4 ? 1 : 2 + static_cast<int>(random() % 15);
    for (int i = 0; i < size; ++i) {
      made.order.push_back(static_cast<int>(made.order.size()));
    }
    made.offsets.push_back(static_cast<int>(made.order.size()));
    made.query_weights.push_back(q % 7 == 3 ? 0.0 : 1.0 + static_cast<double>(q % 2));
  }
  made.x.resize(made.rows() * columns);
  std::generate(made.x.begin(), made.x.end(), [&] { return normal(random); });
  for (std::size_t i = 0; i < made.rows(); ++i) {
    const double utility = made.x[i] + 0.5 * made.x[made.rows() + i] + normal(random);
    made.grades.push_back(utility < 0.0 ? 0 : utility < 1.0 ? 1 : 2);
    made.targets.push_back(std::ldexp(1.0, made.grades.back()) - 1.0);
  }
  return made;
}

std::vector<double> weights_of_rows(const Judged& on) {
  std::vector<double> weights;
  for (std::size_t q = 0; q < on.queries(); ++q) {
    for (int i = on.offsets[q]; i < on.offsets[q + 1]; ++i) {
      weights.push_back(on.query_weights[q]);
    }
  }
  return weights;
}

const std::vector<double> kCosts = {1.0, 1e-3, 100.0};

std::vector<linear::ObjectiveStep> path(const Judged& on, PairLoss loss,
                                        rankmix::Host& host, double tolerance = 1e-6,
                                        std::size_t max_steps = 500) {
  const auto features = linear::features_of(
      on.view(), linear::find_scaling(on.view(), linear::ScalingRule::kStandard, host,
                                      weights_of_rows(on)));
  const PairwiseOptions pairs{loss, loss == PairLoss::kLogistic};
  const linear::PathOptions options{tolerance, max_steps};
  return loss == PairLoss::kHinge
             ? linear::hinge_path(*features, on.documents(), pairs, kCosts, options, host)
             : linear::objective_path(*features, on.documents(), Pairwise(pairs), kCosts,
                                      options, host);
}

// F, pair by pair, for weights of unscaled features.
double naive_value(const Judged& on, const std::vector<double>& weights, PairLoss loss,
                   double cost) {
  ThreadHost host(1);
  const auto scaling = linear::find_scaling(on.view(), linear::ScalingRule::kStandard,
                                            host, weights_of_rows(on));
  double value = 0.0;
  std::vector<double> scores(on.rows(), 0.0);
  for (std::size_t j = 0; j < on.columns; ++j) {
    const double v = weights[j] / scaling.factor[j];
    value += 0.5 * v * v;
    for (std::size_t i = 0; i < on.rows(); ++i) {
      scores[i] += weights[j] * on.x[j * on.rows() + i];
    }
  }
  for (std::size_t q = 0; q < on.queries(); ++q) {
    double sum = 0.0;
    double pairs = 0.0;
    for (int a = on.offsets[q]; a < on.offsets[q + 1]; ++a) {
      for (int b = on.offsets[q]; b < on.offsets[q + 1]; ++b) {
        const auto i = static_cast<std::size_t>(a);
        const auto j = static_cast<std::size_t>(b);
        if (on.grades[i] > on.grades[j]) {
          const double d = scores[i] - scores[j];
          const double lacking = std::max(0.0, 1.0 - d);
          sum += loss == PairLoss::kHinge          ? lacking
                 : loss == PairLoss::kSquaredHinge ? lacking * lacking
                                                   : std::log1p(std::exp(-d));
          pairs += 1.0;
        }
      }
    }
    if (pairs > 0.0) {
      value +=
          cost * on.query_weights[q] * sum / (loss == PairLoss::kLogistic ? pairs : 1.0);
    }
  }
  return value;
}

constexpr PairLoss kLosses[] = {PairLoss::kHinge, PairLoss::kSquaredHinge,
                                PairLoss::kLogistic};

}  // namespace

TEST_CASE("values of linear models equal sums over pairs, and the gap is a valid bound") {
  const Judged on = judged(25, 4, 3);
  std::mt19937_64 random(8);
  draw::Normal<double> normal;
  for (PairLoss loss : kLosses) {
    ThreadHost host(1);
    const auto steps = path(on, loss, host);
    CHECK(host.progressed() == kCosts.size());
    for (std::size_t at = 0; at < kCosts.size(); ++at) {
      const linear::ObjectiveStep& step = steps[at];
      CHECK(step.status == Status::kConverged);
      CHECK((step.gap >= 0.0 && step.gap <= 1e-6 * step.value));
      const double naive = naive_value(on, step.weights, loss, kCosts[at]);
      CHECK(std::abs(step.value - naive) <= 1e-12 * naive);
      for (int look = 0; look < 40; ++look) {
        std::vector<double> near = step.weights;
        const double size = std::pow(10.0, -1.0 - look % 6);
        for (double& weight : near) {
          weight *= 1.0 + size * normal(random);
        }
        CHECK(naive_value(on, near, loss, kCosts[at]) >=
              step.value - step.gap - 1e-12 * naive);
      }
    }
  }
}

TEST_CASE("linear models have the same bits on any number of threads") {
  const auto compare = [](const Judged& on, PairLoss loss, std::size_t max_steps) {
    ThreadHost one(1);
    ThreadHost several(4);
    const auto a = path(on, loss, one, 1e-2, max_steps);
    const auto b = path(on, loss, several, 1e-2, max_steps);
    for (std::size_t at = 0; at < kCosts.size(); ++at) {
      CHECK(a[at].weights == b[at].weights);
      CHECK(a[at].value == b[at].value);
      CHECK(a[at].products == b[at].products);
    }
  };
  compare(judged(300, 5, 5), PairLoss::kHinge, 500);
  // There is more than one block of documents. There are also more documents than the
  // sample has for this number of features.
  compare(judged(1300, 260, 5), PairLoss::kSquaredHinge, 1);
}

TEST_CASE("linear models with too many features for a decomposition are as precise") {
  const Judged on = judged(60, 520, 6);
  ThreadHost host(1);
  for (const linear::ObjectiveStep& step : path(on, PairLoss::kSquaredHinge, host)) {
    CHECK(step.status == Status::kConverged);
    CHECK(step.gap <= 1e-6 * step.value);
  }
}

TEST_CASE("a gap above the tolerance is reported") {
  const Judged on = judged(25, 4, 3);
  ThreadHost host(1);
  for (PairLoss loss : kLosses) {
    const auto steps = path(on, loss, host, 1e-9, 1);
    CHECK(steps[2].status == Status::kLimit);
    CHECK(steps[2].gap > 1e-9 * steps[2].value);
    CHECK(steps[2].steps == 1);
  }
}

TEST_CASE("if nothing can be learned, all weights are 0") {
  Judged on = judged(10, 3, 2);
  std::fill(on.grades.begin(), on.grades.end(), 1);
  ThreadHost host(1);
  for (PairLoss loss : kLosses) {
    for (const linear::ObjectiveStep& step : path(on, loss, host)) {
      CHECK(step.weights == std::vector<double>(3, 0.0));
      CHECK((step.status == Status::kConverged && step.value == 0.0 && step.gap == 0.0));
    }
  }
}

TEST_CASE("impossible paths of linear models are refused, long ones can be interrupted") {
  const Judged on = judged(10, 3, 2);
  ThreadHost host(1);
  const auto features = linear::features_of(
      on.view(), linear::find_scaling(on.view(), linear::ScalingRule::kNone, host));
  auto refused = [&](const std::vector<double>& costs, const linear::PathOptions& options,
                     const objective::Documents& documents) {
    CHECK_THROWS_AS(linear::objective_path(*features, documents, objective::Softmax(),
                                           costs, options, host),
                    rankmix::InvalidArgument);
  };
  refused({-1.0}, {}, on.documents());
  refused({std::numeric_limits<double>::infinity()}, {}, on.documents());
  refused({1.0}, {0.0, 500}, on.documents());
  refused({1.0}, {1e-6, 0}, on.documents());
  refused({1.0}, {}, judged(9, 3, 2).documents());
  host.interrupt_after(2);
  CHECK_THROWS_AS(path(on, PairLoss::kSquaredHinge, host), rankmix::Interrupted);
}
