// Compares gradients of perturbed rankings, computed from tables of pairs, with sums
// over the pairs that the objective reports.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/base/simd.h"
#include "core/objective/evaluate.h"
#include "core/objective/yeti.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using objective_case::Evaluated;
using objective_case::Kind;
using objective_case::make_case;
namespace objective = rankmix::objective;
using objective::RankWeight;

namespace {

Case some_case(double scale, int longest) {
  Kind kind;
  kind.weights = false;
  kind.queries = 12;
  kind.longest = longest;
  Case data = make_case(kind);
  data.query_weights.clear();
  data.shifts.clear();
  for (double& score : data.scores) {
    score *= scale;
  }
  return data;
}

objective::YetiOptions options_of(RankWeight place, bool newton) {
  objective::YetiOptions options;
  options.rank_weight = place;
  options.rankings = 7;
  options.neighbours = 2;
  options.newton = newton;
  options.grades = 5;
  // Both orders of a pair have a weight, and so have pairs of documents of the same
  // grade.
  for (int k = 0; k < 25; ++k) {
    options.grade_weights.push_back(0.1 * (k % 7));
  }
  return options;
}

// Gradients and hessians of the sum over pairs of 1/2 weight (x_i - x_j - difference)^2.
Evaluated by_pairs(const objective::Yeti& on, const Case& data, bool newton) {
  Evaluated sums;
  sums.gradient.assign(data.rows(), 0.0);
  sums.hessian.assign(data.rows(), 0.0);
  ThreadHost host(1);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    objective::visit_pairs(
        on, data.documents(), data.scores, q, host, [&](const objective::Pair& pair) {
          const double apart = data.scores[pair.upper] - data.scores[pair.lower];
          const double s = pair.difference - apart;
          const double curve = newton ? s * (1.0 - s) : 2.0;
          sums.gradient[pair.upper] -= pair.weight * s;
          sums.gradient[pair.lower] += pair.weight * s;
          sums.hessian[pair.upper] += pair.weight * curve;
          sums.hessian[pair.lower] += pair.weight * curve;
        });
  }
  return sums;
}

bool close(const std::vector<double>& a, const std::vector<double>& b, double error) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
           return std::abs(x - y) <= error * (1.0 + std::abs(y));
         });
}

}  // namespace

TEST_CASE(
    "gradients of perturbed rankings are sums over pairs, in wide registers bit for "
    "bit") {
  // Scores that differ by up to 1, and scores that differ too much for quotients of
  // exponentials. Short queries are ranked by counting, long ones by sorting.
  for (const double scale : {1.0, 2000.0}) {
    for (const int longest : {20, 500}) {
      const Case data = some_case(scale, longest);
      for (const RankWeight place :
           {RankWeight::kEqual, RankWeight::kReciprocal, RankWeight::kDecay}) {
        for (const bool newton : {false, true}) {
          objective::Yeti on(options_of(place, newton));
          ThreadHost host(1);
          on.begin_round({3, rankmix::random_stream(5, rankmix::Purpose::kObjective, 3)},
                         data.documents(), data.scores, host);
          const Evaluated wide = objective_case::evaluate(on, data, data.scores);
          rankmix::allow_avx2(false);
          const Evaluated plain = objective_case::evaluate(on, data, data.scores);
          rankmix::allow_avx2(true);
          CHECK(wide.gradient == plain.gradient);
          CHECK(wide.hessian == plain.hessian);
          const Evaluated pairs = by_pairs(on, data, newton);
          // Differences of scores of some thousands have lost three digits.
          CHECK(close(wide.gradient, pairs.gradient, 1e-12 * scale));
          CHECK(close(wide.hessian, pairs.hessian, 1e-12 * scale));
        }
      }
    }
  }
}
