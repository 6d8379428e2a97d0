#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/average_precision.h"
#include "core/metric/bpref.h"
#include "core/metric/dcg.h"
#include "core/metric/err.h"
#include "core/metric/factory.h"
#include "core/metric/ranking.h"
#include "core/metric/reciprocal_rank.h"
#include "thread_host.h"

namespace metric = rankmix::metric;
using metric::Ties;

namespace {

std::vector<int> ranked(const std::vector<double>& scores, const std::vector<int>& grades,
                        const std::vector<int>& positions, metric::RankRule rule,
                        std::size_t depth) {
  std::vector<int> rows(scores.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<int>(i);
  }
  metric::Ranker ranker;
  ranker.rank(rows, scores.data(), {grades, positions}, rule, depth);
  return {ranker.rows().begin(), ranker.rows().end()};
}

using Metrics = std::vector<std::unique_ptr<metric::Metric>>;

Metrics all_metrics(Ties ties, std::size_t k) {
  metric::MetricOptions cut;
  cut.k = k;
  cut.rule.ties = ties;
  metric::MetricOptions whole;
  whole.rule.ties = ties;
  const std::vector<double> gains = {0, 1, 3, 7, 15};
  Metrics all;
  all.push_back(std::make_unique<metric::Ndcg>(cut, metric::Gains(gains),
                                               metric::Discounts::log2(200)));
  all.push_back(std::make_unique<metric::MeanNdcg>(cut, metric::Gains(gains),
                                                   metric::Discounts::letor(200)));
  all.push_back(std::make_unique<metric::Err>(cut, 4));
  all.push_back(std::make_unique<metric::AveragePrecision>(whole, 1, false));
  all.push_back(std::make_unique<metric::Precision>(cut, 2));
  all.push_back(std::make_unique<metric::RPrecision>(whole, 1));
  all.push_back(std::make_unique<metric::FMeasure>(cut, 1, 2.0));
  all.push_back(std::make_unique<metric::Success>(cut, 2));
  all.push_back(std::make_unique<metric::JudgedFraction>(cut));
  all.push_back(std::make_unique<metric::ReciprocalRank>(cut, 1, false));
  all.push_back(std::make_unique<metric::Bpref>(whole, 1));
  all.push_back(std::make_unique<metric::RankBiasedPrecision>(cut, 1, 0.8));
  return all;
}

}  // namespace

TEST_CASE("levels of values are ranked like the grades that they represent") {
  std::mt19937_64 random(7);
  const std::vector<double> by_grade[] = {{0, 1, 2, 3, 4}, {2, 0, 1, 1, 5}};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<int> grades(1 + random() % 12);
    std::vector<std::size_t> tie_ends;
    for (int& grade : grades) {
      grade = static_cast<int>(random() % 6) - 1;
    }
    for (std::size_t end = 0; end < grades.size();) {
      end = std::min(grades.size(), end + 1 + random() % 3);
      tie_ends.push_back(end);
    }
    // Levels do not start at kFirstLevel, because other queries use the first levels.
    const int first = rankmix::data::kFirstLevel + static_cast<int>(random() % 1000);
    std::vector<int> levels = grades;
    for (int& level : levels) {
      level = level < 0 ? level : level + first;
    }
    metric::GradeCounts of_grades;
    metric::GradeCounts of_levels;
    metric::count_grades(grades, of_grades);
    metric::count_grades(levels, of_levels);
    CHECK(of_levels.end() - of_levels.first() <= 5);
    for (const std::vector<double>& gain : by_grade) {
      std::vector<double> level_gain(static_cast<std::size_t>(first), 0.0);
      level_gain.insert(level_gain.end(), gain.begin(), gain.end());
      for (const char* name : {"ndcg", "mean_ndcg", "dcg"}) {
        metric::MetricSpec spec;
        spec.name = name;
        spec.discount = "log2";
        spec.options.k = 1 + random() % 12;
        spec.gain = gain;
        const auto of = metric::make_metric(spec, 12);
        spec.gain = level_gain;
        const auto other = metric::make_metric(spec, 12);
        for (const std::vector<std::size_t>& ends :
             {std::vector<std::size_t>(), tie_ends}) {
          CHECK(of->value({grades, ends, of_grades}, grades.size()) ==
                other->value({levels, ends, of_levels}, levels.size()));
        }
      }
    }
  }
}

TEST_CASE("documents are ranked by score, then by the rule") {
  const std::vector<double> scores = {1.0, 2.0, 1.0, -0.0, 0.0, 1.0};
  const std::vector<int> grades = {0, 1, 2, 1, 0, -1};
  const std::vector<int> positions = {5, 4, 3, 2, 1, 0};
  auto rank = [&](Ties ties) {
    return ranked(scores, grades, positions, {ties, false}, metric::kWholeList);
  };
  CHECK((rank(Ties::kOrder) == std::vector<int>{1, 0, 2, 5, 3, 4}));
  CHECK((rank(Ties::kBest) == std::vector<int>{1, 2, 0, 5, 3, 4}));
  CHECK((rank(Ties::kWorst) == std::vector<int>{1, 5, 0, 2, 4, 3}));
  CHECK((rank(Ties::kDocument) == std::vector<int>{1, 5, 2, 0, 4, 3}));
  CHECK((ranked(scores, grades, positions, {Ties::kOrder, false}, 2) ==
         std::vector<int>{1, 0}));
}

TEST_CASE("documents without a score have no rank") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double low = -std::numeric_limits<double>::infinity();
  CHECK((ranked({none, low, 1.0, none}, {1, 1, 1, 1}, {}, {}, metric::kWholeList) ==
         std::vector<int>{2, 1}));
  CHECK(ranked({none}, {1}, {}, {}, 5).empty());
}

TEST_CASE("scores that are equal in single precision tie if requested") {
  const std::vector<double> scores = {1.0, 1.0 + 1e-12};
  CHECK((ranked(scores, {0, 0}, {}, {Ties::kOrder, false}, 2) == std::vector<int>{1, 0}));
  CHECK((ranked(scores, {0, 0}, {}, {Ties::kOrder, true}, 2) == std::vector<int>{0, 1}));
}

TEST_CASE("values are the same on any number of threads, and stay within their range") {
  std::mt19937 random(7);
  const std::size_t queries = 300;
  std::vector<int> order;
  std::vector<int> offsets = {0};
  std::vector<double> scores;
  std::vector<int> grades;
  for (std::size_t q = 0; q < queries; ++q) {
    const std::size_t size = random() % 40;  // some are empty
    for (std::size_t i = 0; i < size; ++i) {
      order.push_back(static_cast<int>(order.size()));
      scores.push_back(static_cast<double>(random() % 5));
      grades.push_back(static_cast<int>(random() % 6) - 1);
      if (random() % 10 == 0) {
        scores.back() = std::numeric_limits<double>::quiet_NaN();
      }
    }
    offsets.push_back(static_cast<int>(order.size()));
  }
  for (Ties ties : {Ties::kOrder, Ties::kAverage, Ties::kBest, Ties::kWorst}) {
    const Metrics metrics = all_metrics(ties, 10);
    std::vector<double> first;
    for (unsigned threads : {1u, 2u, 4u}) {
      std::vector<double> out(queries * metrics.size(), -1.0);
      ThreadHost host(threads);
      metric::evaluate(metrics, {scores.data()}, {grades, {}}, {order, offsets}, host,
                       {out.data(), queries, metrics.size()});
      if (first.empty()) {
        first = out;
      }
      CHECK(out == first);
    }
    bool in_range = true;
    for (double value : first) {
      in_range = in_range && value >= 0.0 && value <= 1.0 + 1e-12;
    }
    CHECK(in_range);
  }
}

TEST_CASE("metrics are created by name and require their parameters") {
  metric::MetricSpec all;
  all.gain = {0, 1, 3};
  all.discount = "log2";
  all.relevant = 1;
  all.max_grade = 2;
  all.beta = 1.0;
  all.persistence = 0.8;
  all.denominator = "relevant";
  metric::MetricSpec none;
  const std::vector<int> grades = {2, 0, 1};
  const metric::GradeCounts counts = {1, 1, 1};
  for (const char* name : {"ndcg", "mean_ndcg", "dcg", "err", "average_precision",
                           "precision", "recall", "reciprocal_rank", "r_precision",
                           "f_measure", "success", "judged", "bpref", "rbp"}) {
    all.name = name;
    none.name = name;
    const double value = metric::make_metric(all, 3)->value({grades, {}, counts}, 3);
    CHECK((value > 0.0 && value <= (all.name == "dcg" ? 4.0 : 1.0)));
    if (all.name == "judged") {
      CHECK(metric::make_metric(none, 3)->value({grades, {}, counts}, 3) == 1.0);
    } else {
      CHECK_THROWS_AS(metric::make_metric(none, 3), rankmix::InvalidArgument);
    }
  }
  none.name = "nonsense";
  CHECK_THROWS_AS(metric::make_metric(none, 3), rankmix::InvalidArgument);
  none.name = "ndcg";
  none.gain = {0, 1, 3};
  CHECK_THROWS_AS(metric::make_metric(none, 3), rankmix::InvalidArgument);
  none.discount = "log10";
  CHECK_THROWS_AS(metric::make_metric(none, 3), rankmix::InvalidArgument);
  CHECK(metric::ties_named("worst") == Ties::kWorst);
  CHECK_THROWS_AS(metric::ties_named("best first"), rankmix::InvalidArgument);
  CHECK(metric::short_list_named("drop") == metric::ShortList::kDrop);
  CHECK_THROWS_AS(metric::short_list_named("short"), rankmix::InvalidArgument);
}
