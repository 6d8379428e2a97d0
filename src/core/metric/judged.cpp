#include "core/metric/judged.h"

#include <cmath>

#include "core/base/errors.h"

namespace rankmix::metric {

void check(const Judged& judged) {
  if (judged.queries.order.size() != judged.rows() ||
      judged.weights.size() != judged.queries.count()) {
    throw InvalidArgument("grades, queries and weights differ in size");
  }
}

double QueryMeter::value(std::size_t query, const double* scores) {
  const View<const int> rows = judged_.queries.rows_of(query);
  count_grades(rows, judged_.documents.grades, counts_);
  ranker_.rank(rows, scores, judged_.documents, judged_.metric.rule(),
               judged_.metric.depth(counts_));
  grades_.clear();
  for (int row : ranker_.rows()) {
    grades_.push_back(judged_.documents.grades[static_cast<std::size_t>(row)]);
  }
  return judged_.metric.value({grades_, ranker_.group_ends(), counts_}, ranker_.length());
}

void QueryMean::add(double value, double weight) {
  if (std::isnan(value)) {
    return;
  }
  counted_ += weight;
  if (value != kUndefined) {
    sum_ += weight * value;
  }
}

}  // namespace rankmix::metric
