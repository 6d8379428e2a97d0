// Creates metrics by name. This is the only file that lists all metrics.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/metric/metric.h"

namespace rankmix::metric {

// The specification of a metric. Parameters that a metric needs must be set; their
// defaults mean "not set", and make_metric() then throws.
struct MetricSpec {
  std::string name;
  MetricOptions options;
  std::vector<double> gain;       // of each grade 0, 1, 2, ...
  std::string discount;           // "log2", "log", "letor", or empty: use `discounts`
  std::vector<double> discounts;  // a factor for each rank
  int relevant = -1;              // lowest relevant grade
  int max_grade = -1;             // of err
  double beta = -1.0;             // of f_measure
  double persistence = -1.0;      // of rbp
  std::string denominator;        // of average_precision: "relevant" or "cutoff"
  bool single_value = false;      // of reciprocal_rank
};

// The metric for queries of at most `longest` documents. Throws InvalidArgument if the
// name is unknown or a parameter is missing.
std::unique_ptr<Metric> make_metric(const MetricSpec& spec, std::size_t longest);

// Names: "order", "average", "together", "best", "worst", "document".
Ties ties_named(const std::string& name);
// Names: "pad", "shrink", "zero", "undefined", "drop".
ShortList short_list_named(const std::string& name);

}  // namespace rankmix::metric
