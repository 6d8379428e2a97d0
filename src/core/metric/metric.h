// A metric of one ranked list, and its value for every query of a data set.
//
// Given:   scores, grades 0, 1, 2, ..., and the queries.
// Result:  one value a query; NaN where the metric leaves a query out.
// Documents are ranked by decreasing score; equal scores keep their input order.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::metric {

constexpr std::size_t kWholeList = std::numeric_limits<std::size_t>::max();

// Grades as counts: by_grade[g] documents have grade g. Enough to know the ideal ranking.
using GradeCounts = std::vector<std::size_t>;

class Metric {
 public:
  virtual ~Metric() = default;
  // How many of the top documents value() looks at.
  virtual std::size_t depth() const = 0;
  // `ranked` holds the grades of the top min(depth, n) documents, best first; `counts`
  // the grades of all n.
  virtual double value(View<const int> ranked, const GradeCounts& counts) const = 0;
};

// 2^grade - 1.
double exponential_gain(int grade);

// out(q, j) = metric of query q under column j of scores.
void evaluate(const Metric& metric, MatrixView<const double> scores,
              View<const int> grades, const data::Queries& queries, Host& host,
              MatrixView<double> out);

}  // namespace rankmix::metric
