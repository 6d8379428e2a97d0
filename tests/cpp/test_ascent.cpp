// Coordinate ascent: compares intervals with a sort of all changes, and changes along
// one weight with the metric itself. Checks the properties of results.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/serial_host.h"
#include "core/base/simd.h"
#include "core/linear/ascent.h"
#include "core/linear/rank_lines.h"
#include "core/linear/search_parts.h"
#include "core/linear/step_search.h"
#include "core/linear/sweep.h"
#include "core/linear/weight_line.h"
#include "draw.h"
#include "few_cases.h"
#include "judged_case.h"
#include "thread_host.h"

namespace linear = rankmix::linear;
namespace metric = rankmix::metric;
using judged_case::Case;
using judged_case::kAlike;
using judged_case::mean_of;
using judged_case::random_case;
using judged_case::some_metrics;
using rankmix::MatrixView;
using rankmix::View;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The metrics of some_metrics(), and other metrics that are sums over ranks.
std::vector<metric::MetricSpec> all_metrics() {
  std::vector<metric::MetricSpec> all;
  for (metric::MetricSpec spec : some_metrics()) {
    all.push_back(spec);
    if (spec.name == "ndcg") {
      for (const char* name : {"dcg", "precision", "recall", "r_precision", "f_measure",
                               "rbp", "mean_ndcg", "judged"}) {
        spec.name = name;
        spec.beta = 2.0;
        spec.persistence = 0.8;
        all.push_back(spec);
      }
    }
  }
  return all;
}

// The metric as an integer number of units, so that sums have no rounding errors.
std::int64_t units(double value) {
  return static_cast<std::int64_t>(value * linear::kMetricUnits);
}

// The changes of all queries along one weight, as the ascent computes them.
std::vector<linear::KeyChange> changes_of(const Case& made, const metric::Judged& judged,
                                          double weight, double unit, bool& by_ranks) {
  const std::vector<double> query_weights = linear::query_weights_of(judged);
  const linear::RankSums sums(judged, query_weights);
  by_ranks = sums.possible();
  rankmix::SerialHost host;
  linear::RankLines lines(judged, sums, host);
  linear::Sweep sweep(judged, -kInfinite, kInfinite, host);
  linear::ChangeBins bins;
  std::vector<linear::KeyChange> found;
  const double* a = made.members[0].data();
  const double* x = made.members[1].data();
  for (std::size_t q = 0; q < query_weights.size(); ++q) {
    if (!(query_weights[q] > 0.0)) {
      continue;
    }
    if (by_ranks) {
      lines.run(q, a, x, weight, unit, found, bins);
      continue;
    }
    std::vector<linear::Change> changes;
    sweep.run(q, a, x, changes);
    for (const linear::Change& change : changes) {
      found.push_back({linear::key_of(change.t + weight, 1.0, unit),
                       units(change.by / judged.weights[q] * query_weights[q])});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& one, const auto& other) { return one.key < other.key; });
  return found;
}

double mean_with(const Case& made, const metric::Judged& judged, double change) {
  return judged_case::mean_at(judged, made.members[0], made.members[1], change);
}

// The highest mean over the middles between any two crossings of one weight, and beyond
// all crossings.
double naive_best_weight(const metric::Judged& judged, const std::vector<double>& a,
                         const std::vector<double>& b) {
  const double best = judged_case::naive_best(judged, a, b, -1e6, 1e6);
  return std::max({best, judged_case::mean_at(judged, a, b, -1e9),
                   judged_case::mean_at(judged, a, b, 1e9)});
}

MatrixView<const double> matrix_of(const std::vector<double>& x, std::size_t rows) {
  return {x.data(), rows, x.size() / rows};
}

std::vector<double> flat(const Case& made) {
  std::vector<double> x;
  for (const auto& member : made.members) {
    x.insert(x.end(), member.begin(), member.end());
  }
  return x;
}

std::vector<double> scores_of(const Case& made, const std::vector<double>& weights) {
  std::vector<double> scores(made.grades.size(), 0.0);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] += weights[j] * made.members[j][i];
    }
  }
  return scores;
}

}  // namespace

TEST_CASE("the best interval equals a search of all sorted changes") {
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int width = repeat % 2 == 0 ? 2000000000 : 40;
    draw::Whole<std::int32_t> key(-width, width);
    draw::Whole<std::int64_t> by(-5000000, 5000000);
    std::vector<linear::KeyChange> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(repeat) * 10; ++i) {
      all.push_back({key(random), by(random) / 1000 * 1000});
    }
    linear::ChangeBins first;
    linear::ChangeBins second;
    std::vector<linear::KeyChange> one;
    std::vector<linear::KeyChange> other;
    for (const linear::KeyChange& change : all) {
      const bool here = random() % 2 == 0;
      (here ? one : other).push_back(change);
      (here ? first : second).add(change.key, change.by);
    }
    first.add(second);
    const std::int32_t now = key(random);
    const linear::BestInterval found = linear::best_interval(first, {&one, &other}, now);

    std::sort(all.begin(), all.end(),
              [](const auto& x, const auto& y) { return x.key < y.key; });
    const auto end = static_cast<std::int64_t>(linear::kLastKey) + 1;
    std::int64_t level = 0;
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    std::int64_t from = -end;
    bool at_key = false;
    for (std::size_t i = 0; i <= all.size(); ++i) {
      const std::int64_t to = i < all.size() ? all[i].key : end;
      if (to - from >= 2) {
        best = std::max(best, level);
        const bool here =
            found.key > static_cast<double>(from) && found.key < static_cast<double>(to);
        at_key = at_key || (here && level == found.level);
        if (now - from >= 2 && to - now >= 2) {
          CHECK((found.inside && found.start == level));
        }
      }
      from = to;
      level += i < all.size() ? all[i].by : 0;
    }
    CHECK(found.level == best);
    CHECK(at_key);
  }
}

TEST_CASE("changes along a weight add up to changes of the metric") {
  std::mt19937_64 random(6);
  FewCases few;
  std::size_t sums = 0;
  for (const metric::MetricSpec& spec : all_metrics()) {
    for (int levels : {0, 2, 5}) {
      if (!few.takes()) {
        continue;
      }
      const Case made = random_case(random, spec, 30, 2, levels);
      const metric::Judged judged = made.judged();
      const double weight = levels == 5 ? -1.0 : 0.25;
      bool by_ranks = false;
      const auto changes = changes_of(made, judged, weight, 1.5, by_ranks);
      sums += by_ranks ? 1 : 0;
      if (std::isnan(mean_with(made, judged, 0.0))) {
        continue;
      }
      std::int64_t level = 0;
      const double first = mean_with(made, judged, -1e9);
      for (std::size_t i = 0; i < changes.size(); ++i) {
        level += changes[i].by;
        const std::int64_t next =
            i + 1 < changes.size() ? changes[i + 1].key : 2147480000;
        // Lines that cross in one point have neighbouring keys. The level is only checked
        // after the last of these keys.
        if (next - changes[i].key < 100) {
          continue;
        }
        const double middle =
            (static_cast<double>(changes[i].key) + static_cast<double>(next)) / 2.0;
        const double there =
            mean_with(made, judged, linear::weight_of(middle, 1.5) - weight);
        CHECK(std::abs(first + static_cast<double>(level) / linear::kMetricUnits -
                       there) < kAlike);
      }
    }
  }
  CHECK(sums > 0);
}

TEST_CASE("changes are the same for long lists and on every processor") {
  std::mt19937_64 random(7);
  metric::MetricSpec spec = judged_case::ndcg_at_3();
  spec.options.k = metric::kWholeList;
  for (int levels : {0, 4}) {
    Case made = random_case(random, spec, 200, 2, levels);
    // A single query with all documents, which is longer than kCompared.
    made.offsets = {0, made.offsets.back()};
    made.weights = {1.0};
    made.of = metric::make_metric(spec, made.grades.size());
    const metric::Judged judged = made.judged();
    CHECK(judged.rows() > linear::kCompared);
    bool by_ranks = false;
    const auto changes = changes_of(made, judged, 0.0, 1.0, by_ranks);
    std::int64_t sum = 0;
    for (const auto& change : changes) {
      sum += change.by;
    }
    const double gained = mean_with(made, judged, 1e9) - mean_with(made, judged, -1e9);
    CHECK((by_ranks &&
           std::abs(static_cast<double>(sum) / linear::kMetricUnits - gained) < kAlike));
  }
  const Case made = random_case(random, judged_case::ndcg_at_3(), 60, 2, 4);
  bool by_ranks = false;
  const auto wide = changes_of(made, made.judged(), 0.5, 1.0, by_ranks);
  rankmix::allow_avx2(false);
  const auto plain = changes_of(made, made.judged(), 0.5, 1.0, by_ranks);
  rankmix::allow_avx2(true);
  CHECK(wide.size() == plain.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    CHECK(wide[i].key == plain[i].key);
  }
}

TEST_CASE("an ascent improves the metric until no single weight can improve it") {
  std::mt19937_64 random(8);
  FewCases few;
  for (const metric::MetricSpec& spec : all_metrics()) {
    for (int levels : {0, 3}) {
      if (!few.takes()) {
        continue;
      }
      const Case made = random_case(random, spec, 25, 3, levels);
      const metric::Judged judged = made.judged();
      const std::vector<double> x = flat(made);
      const std::vector<double> scale = {1.0, 0.5, 2.0};
      linear::AscentOptions options;
      options.starts = 4;
      options.seed = 9;
      ThreadHost host(3);
      const auto results = linear::coordinate_ascent(
          judged, matrix_of(x, made.grades.size()), scale, options, host);
      CHECK(results.size() == 4);
      for (const linear::AscentResult& result : results) {
        const bool rose = result.values.back() > result.values.front();
        CHECK(result.status == (rose ? rankmix::optimize::Status::kConverged
                                     : rankmix::optimize::Status::kStalled));
        CHECK(std::is_sorted(result.values.begin(), result.values.end()));
        const std::vector<double> scores = scores_of(made, result.weights);
        const double value = mean_of(judged, scores);
        if (std::isnan(value)) {
          continue;
        }
        CHECK(std::abs(result.values.back() - value) < kAlike);
        for (const auto& member : made.members) {
          CHECK(
              (levels > 0 || naive_best_weight(judged, scores, member) < value + kAlike));
        }
        double size = 0.0;
        for (std::size_t j = 0; j < 3; ++j) {
          size += std::abs(result.weights[j]) / scale[j];
        }
        CHECK(std::abs(size - 1.0) < kAlike);
      }
      CHECK(results[0].weights != results[1].weights);
      ThreadHost serial(1);
      const auto again = linear::coordinate_ascent(
          judged, matrix_of(x, made.grades.size()), scale, options, serial);
      for (std::size_t s = 0; s < results.size(); ++s) {
        CHECK(again[s].weights == results[s].weights);
        CHECK(again[s].values == results[s].values);
      }
    }
  }
}

TEST_CASE("features without a scale and metrics that cannot change are ignored") {
  std::mt19937_64 random(9);
  Case made = random_case(random, judged_case::ndcg_at_3(), 20, 2, 0);
  const std::vector<double> x = flat(made);
  ThreadHost host(2);
  linear::AscentOptions options;
  options.starts = 2;
  const auto weights = [&](const std::vector<double>& scale) {
    return linear::coordinate_ascent(made.judged(), matrix_of(x, made.grades.size()),
                                     scale, options, host);
  };
  CHECK(weights({1.0, 0.0})[1].weights[1] == 0.0);
  CHECK(std::abs(weights({1.0, 0.0})[1].weights[0]) == 1.0);
  const auto none = weights({0.0, 0.0});
  CHECK(none[0].weights == std::vector<double>({0.0, 0.0}));
  std::fill(made.grades.begin(), made.grades.end(), 2);
  for (const auto& result : weights({1.0, 1.0})) {
    CHECK(result.values.back() == result.values.front());
    CHECK(result.status == rankmix::optimize::Status::kStalled);
  }
  options.sweeps = 0;
  CHECK_THROWS_AS(weights({1.0, 1.0}), rankmix::InvalidArgument);
  options.sweeps = 1;
  CHECK_THROWS_AS(weights({1.0}), rankmix::InvalidArgument);
}

// One query of 600 documents and two features.
TEST_CASE("the search can be interrupted within a query") {
  std::mt19937_64 random(4);
  Case made;
  for (int i = 0; i < 600; ++i) {
    made.grades.push_back(i % 3);
    made.positions.push_back(i);
    made.order.push_back(i);
  }
  made.offsets = {0, 600};
  made.weights = {1.0};
  for (int m = 0; m < 2; ++m) {
    made.members.emplace_back();
    for (int i = 0; i < 600; ++i) {
      made.members.back().push_back(draw::unit(random));
    }
  }
  linear::AscentOptions options;
  options.starts = 1;
  options.sweeps = 1;
  const std::vector<double> x = flat(made);
  const std::vector<double> scale = {1.0, 1.0};
  for (const bool by_ranks : {true, false}) {
    metric::MetricSpec spec = judged_case::ndcg_at_3();
    spec.name = by_ranks ? "ndcg" : "average_precision";
    made.of = metric::make_metric(spec, 600);
    ThreadHost host(1);
    host.interrupt_after(300);
    CHECK_THROWS_AS(
        linear::coordinate_ascent(made.judged(), matrix_of(x, 600), scale, options, host),
        rankmix::Interrupted);
  }
}

// A plain implementation of RankLib's search, from its published rules.
std::vector<double> naive_steps(const Case& made, const metric::Judged& judged,
                                const linear::StepOptions& options, std::size_t start) {
  const std::size_t p = made.members.size();
  const std::vector<double> scale(p, 1.0);
  std::vector<double> weights(p, 1.0 / static_cast<double>(p));
  const auto value = [&] { return mean_of(judged, scores_of(made, weights)); };
  double best = value();
  const double first = best;
  std::size_t failures = 0;
  for (std::size_t sweep = 0; failures < p - 1; ++sweep) {
    for (std::size_t j : linear::feature_order(scale, start, sweep, options.seed)) {
      const double own = weights[j];
      double to = own;
      bool better = false;
      for (int direction : {1, -1, 0}) {
        double step = 0.001 * direction;
        if (own != 0.0 && std::abs(step) > 0.5 * std::abs(own)) {
          step = 0.05 * std::abs(own);
        }
        double total = direction == 0 ? -own : step;
        for (std::size_t i = 0; i < (direction == 0 ? 1 : options.steps); ++i) {
          weights[j] = own + total;
          const double now = value();
          if (now > best + 1e-12) {
            best = now;
            to = weights[j];
            better = true;
          }
          step *= 2.0;
          total += step;
        }
        if (better) {
          break;
        }
      }
      weights[j] = to;
      failures = better ? 0 : failures + 1;
      double size = 0.0;
      for (double weight : weights) {
        size += std::abs(weight);
      }
      for (double& weight : weights) {
        weight /= size;
      }
    }
    if (best - first < options.tolerance) {
      break;
    }
  }
  return weights;
}

TEST_CASE("steps of doubling length equal a plain loop") {
  std::mt19937_64 random(10);
  for (int repeat = 0; repeat < 6; ++repeat) {
    const Case made = random_case(random, judged_case::ndcg_at_3(), 40, 4, 0);
    const metric::Judged judged = made.judged();
    const std::vector<double> x = flat(made);
    linear::StepOptions options;
    options.starts = 2;
    options.seed = static_cast<std::uint64_t>(repeat);
    options.tolerance = repeat % 2 == 0 ? 0.001 : 0.5;
    ThreadHost host(2);
    const auto results = linear::step_search(judged, matrix_of(x, made.grades.size()),
                                             std::vector<double>(4, 1.0), options, host);
    for (std::size_t s = 0; s < results.size(); ++s) {
      const std::vector<double> naive = naive_steps(made, judged, options, s);
      for (std::size_t j = 0; j < naive.size(); ++j) {
        CHECK(std::abs(results[s].weights[j] - naive[j]) < kAlike);
      }
      CHECK(results[s].values.back() >= results[s].values.front());
    }
    // A penalty keeps the weights closer to equal weights.
    options.slack = 10.0;
    const auto held = linear::step_search(judged, matrix_of(x, made.grades.size()),
                                          std::vector<double>(4, 1.0), options, host);
    CHECK(std::abs(held[0].weights[0] - 0.25) < 0.05);
  }
}
