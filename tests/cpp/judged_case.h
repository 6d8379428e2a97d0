// Random judged queries, and a slow search for the best metric along a line of scores.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/metric/factory.h"
#include "core/metric/judged.h"
#include "draw.h"

namespace judged_case {

namespace metric = rankmix::metric;

constexpr double kAlike = 1e-9;  // largest difference of sums in two orders

// Queries of random lengths, grades, weights (some 0) and ids; rows in a random order.
struct Case {
  std::vector<int> grades, positions, order, offsets{0};
  std::vector<double> weights;
  std::unique_ptr<metric::Metric> of;
  std::vector<std::vector<double>> members;

  metric::Judged judged() const {
    return {*of, {grades, positions}, {order, offsets}, weights};
  }
  std::vector<const double*> columns() const {
    std::vector<const double*> found;
    for (const auto& member : members) {
      found.push_back(member.data());
    }
    return found;
  }
};

inline Case random_case(std::mt19937_64& random, const metric::MetricSpec& spec,
                        std::size_t queries, std::size_t count, int levels) {
  Case made;
  for (std::size_t q = 0; q < queries; ++q) {
    const std::size_t length = 1 + random() % 12;
    made.offsets.push_back(made.offsets.back() + static_cast<int>(length));
    made.weights.push_back(
        q > 1 && random() % 4 == 0 ? 0.0 : 0.5 * static_cast<double>(1 + random() % 4));
    for (std::size_t i = 0; i < length; ++i) {
      made.grades.push_back(static_cast<int>(random() % 5) - (random() % 9 == 0 ? 5 : 0));
      made.positions.push_back(static_cast<int>(i));
      made.order.push_back(static_cast<int>(made.order.size()));
    }
    draw::shuffle(made.positions.end() - static_cast<std::ptrdiff_t>(length),
                  made.positions.end(), random);
  }
  for (int& grade : made.grades) {
    grade = std::max(grade, -1);
  }
  // Few levels, so that many lines tie and meet in one point.
  for (std::size_t m = 0; m < count; ++m) {
    made.members.emplace_back();
    for (std::size_t i = 0; i < made.grades.size(); ++i) {
      made.members.back().push_back(
          levels > 0 ? static_cast<double>(random() % static_cast<unsigned long>(levels))
                     : draw::Normal<double>()(random));
    }
  }
  made.of = metric::make_metric(spec, 12);
  return made;
}

inline std::vector<metric::MetricSpec> some_metrics() {
  std::vector<metric::MetricSpec> all;
  for (const char* name : {"ndcg", "average_precision", "err", "reciprocal_rank"}) {
    for (metric::Ties ties :
         {metric::Ties::kOrder, metric::Ties::kAverage, metric::Ties::kBest,
          metric::Ties::kWorst, metric::Ties::kDocument}) {
      for (std::size_t k : {std::size_t{3}, metric::kWholeList}) {
        metric::MetricSpec spec;
        spec.name = name;
        spec.options.k = k;
        spec.options.empty = k == 3 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
        spec.options.rule.ties = ties;
        spec.gain = {0, 1, 3, 7, 15};
        spec.discount = "log2";
        spec.relevant = 2;
        spec.max_grade = 4;
        spec.denominator = "relevant";
        all.push_back(spec);
      }
    }
  }
  return all;
}

inline double mean_of(const metric::Judged& judged, const std::vector<double>& scores) {
  metric::QueryMeter meter(judged);
  metric::QueryMean mean;
  for (std::size_t q = 0; q < judged.queries.count(); ++q) {
    if (judged.weights[q] > 0.0) {
      mean.add(meter.value(q, scores.data()), judged.weights[q]);
    }
  }
  return mean.mean();
}

inline double mean_at(const metric::Judged& judged, const std::vector<double>& a,
                      const std::vector<double>& b, double t) {
  std::vector<double> scores(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    scores[i] = a[i] + t * b[i];
  }
  return mean_of(judged, scores);
}

// The metric in the middle of all intervals between crossings of any two documents.
inline double naive_best(const metric::Judged& judged, const std::vector<double>& a,
                         const std::vector<double>& b, double least, double most) {
  std::vector<double> at = {least, most};
  for (std::size_t q = 0; q < judged.queries.count(); ++q) {
    for (int i : judged.queries.rows_of(q)) {
      for (int j : judged.queries.rows_of(q)) {
        const auto x = static_cast<std::size_t>(i);
        const auto y = static_cast<std::size_t>(j);
        const double t = (a[x] - a[y]) / (b[y] - b[x]);
        if (std::isfinite(t) && t > least && t < most) {
          at.push_back(t);
        }
      }
    }
  }
  std::sort(at.begin(), at.end());
  double best = -1.0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    // Crossings whose distance is a rounding error have no interval between them.
    if (at[i] - at[i - 1] > kAlike) {
      best = std::max(best, mean_at(judged, a, b, at[i - 1] + (at[i] - at[i - 1]) / 2));
    }
  }
  return best;
}

inline metric::MetricSpec ndcg_at_3() { return some_metrics().front(); }

}  // namespace judged_case
