// Compares ListMLE with its formula, without ties and with two grades. The tests that
// all objectives share are in test_objective.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/objective/evaluate.h"
#include "core/objective/list_mle.h"
#include "core/objective/softmax.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
namespace objective = rankmix::objective;

namespace {

// A query of these grades, without weights.
Case one_query(const std::vector<int>& grades, const std::vector<double>& scores) {
  Case made;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    made.order.push_back(static_cast<int>(i));
    made.targets.push_back(std::ldexp(1.0, grades[i]) - 1.0);
  }
  made.offsets.push_back(static_cast<int>(grades.size()));
  made.grades = grades;
  made.scores = scores;
  return made;
}

}  // namespace

TEST_CASE("without ties ListMLE is minus the log-probability of the list") {
  const std::vector<double> scores{0.3, -1.2, 2.5, 0.0, 1.1};
  // Best first: documents 3, 0, 4, 2, 1.
  const Case data = one_query({3, 0, 1, 4, 2}, scores);
  double probability = 1.0;
  double left = 0.0;
  for (double score : scores) {
    left += std::exp(score);
  }
  for (std::size_t i : {3, 0, 4, 2, 1}) {
    probability *= std::exp(scores[i]) / left;
    left -= std::exp(scores[i]);
  }
  const double value = evaluate(objective::ListMle(), data, scores).value;
  CHECK(std::abs(value + std::log(probability)) < 1e-12 * value);
}

TEST_CASE(
    "with grades 0 and 1 ListMLE is softmax times the number of relevant documents") {
  const std::vector<double> scores{0.3, -1.2, 2.5, 0.0, 1.1};
  const Case data = one_query({0, 1, 0, 1, 1}, scores);
  const Evaluated list = evaluate(objective::ListMle(), data, scores);
  const Evaluated top = evaluate(objective::Softmax(), data, scores);
  CHECK(std::abs(list.value - 3.0 * top.value) < 1e-12);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK(std::abs(list.gradient[i] - 3.0 * top.gradient[i]) < 1e-12);
    CHECK(std::abs(list.hessian[i] - 3.0 * top.hessian[i]) < 1e-12);
  }
}

TEST_CASE("distant scores neither overflow nor lose low documents") {
  const std::vector<double> scores{-2000.0, 0.0, 1500.0, 1501.0};
  // The lowest grade has the highest scores.
  const Case data = one_query({2, 1, 0, 0}, scores);
  const Evaluated found = evaluate(objective::ListMle(), data, scores);
  const double all = 1501.0 + std::log1p(std::exp(-1.0));
  CHECK(std::abs(found.value - (2.0 * all + 2000.0)) < 1e-9);
  const double fraction = 1.0 / (1.0 + std::exp(1.0));
  const double expected[] = {-1.0, -1.0, 2.0 * fraction, 2.0 * (1.0 - fraction)};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK(std::abs(found.gradient[i] - expected[i]) < 1e-12);
  }
  // If the best documents are far above, the documents below have no effect.
  const Case sorted = one_query({2, 1, 0, 0}, {1501.0, 1500.0, 0.0, -2000.0});
  const Evaluated right = evaluate(objective::ListMle(), sorted, sorted.scores);
  CHECK(std::abs(right.value - std::log1p(std::exp(-1.0))) < 1e-12);
}

TEST_CASE("a query counts if documents of positive weight differ in grade") {
  ThreadHost host(1);
  Case data = one_query({1, 1, 0}, {0.5, 0.1, 0.2});
  CHECK(objective::total_weight(objective::ListMle(), data.documents(), host) == 1.0);
  data.weights = {1.0, 1.0, 0.0};
  CHECK(objective::total_weight(objective::ListMle(), data.documents(), host) == 0.0);
  CHECK(evaluate(objective::ListMle(), data, data.scores).value == 0.0);
}
