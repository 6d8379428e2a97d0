// One metric on judged queries, for algorithms that maximise it.
//
// Given:   a metric, judged documents, queries and their weights, and scores of all rows.
// Result:  the value of a query, or the weighted mean over queries. In the mean, queries
//          with NaN are left out and kUndefined counts as 0.
#pragma once
#include <cstddef>
#include <vector>

#include "core/metric/metric.h"

namespace rankmix::metric {

struct Judged {
  const Metric& metric;
  Documents documents;
  data::Queries queries;
  View<const double> weights;  // one for each query; weight 0: skipped

  std::size_t rows() const { return documents.grades.size(); }
};

// Throws InvalidArgument if sizes differ.
void check(const Judged& judged);

// Values of single queries. Keeps its buffers; use one object for each thread.
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

// A weighted mean over queries.
class QueryMean {
 public:
  void add(double value, double weight);
  // NaN if no query counts.
  double mean() const { return sum_ / counted_; }

 private:
  double sum_ = 0.0;
  double counted_ = 0.0;
};

}  // namespace rankmix::metric
