// One metric of some judged queries, for what is chosen by it: weights, directions.
//
// Given:   a metric, judged documents, queries and their weights; scores of all rows.
// Result:  the value of a query, or the weighted mean over queries: NaN does not count,
//          kUndefined counts as 0.
#pragma once
#include <cstddef>
#include <vector>

#include "core/metric/metric.h"

namespace rankmix::metric {

struct Judged {
  const Metric& metric;
  Documents documents;
  data::Queries queries;
  View<const double> weights;  // one a query; those of weight 0 are not looked at

  std::size_t rows() const { return documents.grades.size(); }
};

// Throws InvalidArgument where sizes differ.
void check(const Judged& judged);

// Values of single queries; keeps its memory from query to query, for one thread.
class QueryMeter {
 public:
  explicit QueryMeter(const Judged& judged) : judged_(judged) {}
  double value(std::size_t query, const double* scores);

 private:
  const Judged& judged_;
  Ranker ranker_;
  std::vector<int> grades_;
  GradeCounts counts_;
};

// Of the judged documents among these rows.
void count_grades(View<const int> rows, View<const int> grades, GradeCounts& counts);

// A weighted mean that is added up query by query.
class QueryMean {
 public:
  void add(double value, double weight);
  // NaN where no query counts.
  double mean() const { return sum_ / counted_; }

 private:
  double sum_ = 0.0;
  double counted_ = 0.0;
};

}  // namespace rankmix::metric
