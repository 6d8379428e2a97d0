// Weights of members that maximise a metric. Compares steps along a line of scores with
// the metric between all pairs of crossings. Checks the properties of selection and
// ascent.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/linear/crossings.h"
#include "core/metric/factory.h"
#include "core/mix/member_weights.h"
#include "few_cases.h"
#include "judged_case.h"
#include "thread_host.h"

namespace linear = rankmix::linear;
namespace metric = rankmix::metric;
namespace mix = rankmix::mix;
using judged_case::Case;
using judged_case::kAlike;
using judged_case::mean_at;
using judged_case::mean_of;
using judged_case::naive_best;
using judged_case::ndcg_at_3;
using judged_case::random_case;
using judged_case::some_metrics;
using rankmix::MatrixView;

TEST_CASE("a step along a line finds the best of all intervals between crossings") {
  std::mt19937_64 random(1);
  ThreadHost host(3);
  FewCases few;
  for (const metric::MetricSpec& spec : some_metrics()) {
    for (int levels : {0, 2, 5}) {
      for (int repeat = 0; repeat < 6; ++repeat) {
        const Case made = random_case(random, spec, 5 + random() % 40, 2, levels);
        if (!few.takes()) {
          continue;
        }
        const metric::Judged judged = made.judged();
        const double least = repeat % 3 == 0 ? 0.0 : -1.5;
        const double step = linear::best_step(judged, made.members[0].data(),
                                              made.members[1].data(), least, 2.0, host);
        CHECK((step >= least && step <= 2.0));
        const double best =
            naive_best(judged, made.members[0], made.members[1], least, 2.0);
        const double found = mean_at(judged, made.members[0], made.members[1], step);
        // At 0, documents may tie that do not tie on either side of 0.
        CHECK((std::abs(found - best) < kAlike || std::isnan(found)));
      }
    }
  }
}

TEST_CASE(
    "the middle of the best interval is returned; of equal intervals, the nearest to 0") {
  ThreadHost host(1);
  Case made;
  made.of = metric::make_metric(ndcg_at_3(), 12);
  made.grades = {1, 0};
  made.positions = {0, 1};
  made.order = {0, 1};
  made.offsets = {0, 2};
  made.weights = {1.0};
  const auto step = [&](std::vector<double> a, std::vector<double> b, double most) {
    return linear::best_step(made.judged(), a.data(), b.data(), -1.0, most, host);
  };
  CHECK(step({0, 1}, {2, 0}, 1.0) == 0.75);  // they cross at 0.5
  CHECK(step({1, 0}, {2, 0}, 1.0) == 0.0);   // already the best order
  CHECK(step({0, 0}, {1, 0}, 1.0) == 0.5);   // a tie that any step breaks
  CHECK(step({0, 1}, {0, 0}, 1.0) == 0.0);   // nothing changes
  // The first query is ranked correctly for steps below 0.2, and the second for steps
  // above 0.6.
  made.grades = {0, 1, 1, 0};
  made.positions = {0, 1, 0, 1};
  made.order = {0, 1, 2, 3};
  made.offsets = {0, 2, 4};
  made.weights = {1.0, 1.0};
  CHECK(step({0, 1, 0, 3}, {5, 0, 5, 0}, 1.0) == 0.0);
  made.weights = {1.0, 1.5};
  CHECK(step({0, 1, 0, 3}, {5, 0, 5, 0}, 1.0) == 0.8);
  made.weights = {1.0, 1.0};
  CHECK(std::abs(step({-5, 1, 0, 3}, {-5, 0, 5, 0}, 1.0) - 0.8) < kAlike);
  CHECK_THROWS_AS(linear::best_step(made.judged(), nullptr, nullptr, 0.5, 1.0, host),
                  rankmix::InvalidArgument);
}

TEST_CASE("values of candidates equal the metric of weighted sums") {
  std::mt19937_64 random(2);
  ThreadHost host(2);
  const Case made = random_case(random, ndcg_at_3(), 50, 3, 4);
  const metric::Judged judged = made.judged();
  const std::vector<double> weights = {0.2, 0.3, 0.5, 1.0, 0.0, 0.0};
  std::vector<double> out(judged.queries.count() * 2);
  mix::mixture_values(judged, made.columns(),
                      MatrixView<const double>(weights.data(), 3, 2), host,
                      MatrixView<double>(out.data(), judged.queries.count(), 2));
  metric::QueryMeter meter(judged);
  for (std::size_t q = 0; q < judged.queries.count(); ++q) {
    for (std::size_t c = 0; c < 2; ++c) {
      std::vector<double> scores(judged.rows(), 0.0);
      for (std::size_t m = 0; m < 3; ++m) {
        for (std::size_t i = 0; i < scores.size(); ++i) {
          scores[i] += weights[c * 3 + m] * made.members[m][i];
        }
      }
      const double value = out[c * judged.queries.count() + q];
      CHECK((judged.weights[q] > 0.0 ? value == meter.value(q, scores.data())
                                     : std::isnan(value)));
    }
  }
}

TEST_CASE("selection equals a plain loop") {
  std::mt19937_64 random(3);
  ThreadHost host(2);
  for (int levels : {0, 3}) {
    const Case made = random_case(random, ndcg_at_3(), 40, 6, levels);
    const metric::Judged judged = made.judged();
    const std::vector<int> among = {5, 0, 2, 3};
    const mix::Selected found =
        mix::select_members(judged, made.columns(), among, 3, 12, host);
    CHECK(found.members.size() == found.first + 12);
    const auto mean_with = [&](std::vector<double> sum, int m) {
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += made.members[static_cast<std::size_t>(m)][i];
      }
      return mean_of(judged, sum);
    };
    const std::vector<double> nothing(judged.rows(), 0.0);
    double top = 0.0;
    for (int m : among) {
      top = std::max(top, mean_with(nothing, m));
    }
    CHECK(found.values[0] == top);
    CHECK(found.values[found.first - 1] >= top);
    std::vector<double> sum = nothing;
    for (std::size_t step = 0; step < found.members.size(); ++step) {
      CHECK(std::count(among.begin(), among.end(), found.members[step]) == 1);
      double best = 0.0;
      for (int m : among) {
        best = std::max(best, mean_with(sum, m));
      }
      CHECK(found.values[step] == mean_with(sum, found.members[step]));
      CHECK((step < found.first || found.values[step] == best));
      const auto& added = made.members[static_cast<std::size_t>(found.members[step])];
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += added[i];
      }
    }
    CHECK_THROWS_AS(mix::select_members(judged, made.columns(), {}, 3, 12, host),
                    rankmix::InvalidArgument);
  }
}

TEST_CASE("ascent ends where no other fraction of a member is better") {
  std::mt19937_64 random(4);
  for (const metric::MetricSpec& spec : some_metrics()) {
    ThreadHost host(3);
    Case made = random_case(random, spec, 30, 4, 0);
    const metric::Judged judged = made.judged();
    const mix::Members members = made.columns();
    const mix::Ascent found = mix::ascend_weights(judged, members, 100, host);
    CHECK(found.converged);
    double sum = 0.0;
    std::vector<double> now(judged.rows(), 0.0);
    std::vector<double> equal(judged.rows(), 0.0);
    for (std::size_t m = 0; m < 4; ++m) {
      CHECK(found.weights[m] >= 0.0);
      sum += found.weights[m];
      for (std::size_t i = 0; i < now.size(); ++i) {
        now[i] += found.weights[m] * made.members[m][i];
        equal[i] += 0.25 * made.members[m][i];
      }
    }
    CHECK(std::abs(sum - 1.0) < kAlike);
    CHECK(mean_of(judged, now) == found.value);
    CHECK(found.value >= mean_of(judged, equal) - kAlike);
    for (std::size_t m = 0; m < 4; ++m) {
      std::vector<double> slope(judged.rows());
      for (std::size_t i = 0; i < slope.size(); ++i) {
        slope[i] = made.members[m][i] - now[i];
      }
      const double own = found.weights[m];
      CHECK(naive_best(judged, now, slope, -own / (1.0 - own), 1.0) <
            found.value + kAlike);
    }
    ThreadHost serial(1);
    CHECK(mix::ascend_weights(judged, members, 100, serial).weights == found.weights);
  }
}
