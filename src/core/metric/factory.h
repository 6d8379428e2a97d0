// Metrics by name: the only file that lists all of them.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/metric/metric.h"

namespace rankmix::metric {

// A metric with everything resolved. What a metric needs must be there: the defaults of
// the parameters stand for none, and make_metric() throws where it finds them.
struct MetricSpec {
  std::string name;
  MetricOptions options;
  std::vector<double> gain;       // of the grades 0, 1, 2, ...
  std::string discount;           // "log2", "log", "letor", or none: see `discounts`
  std::vector<double> discounts;  // a factor for each rank
  int relevant = -1;              // the lowest grade that is relevant
  int max_grade = -1;             // of err
  double beta = -1.0;             // of f_measure
  double persistence = -1.0;      // of rbp
  std::string denominator;        // of average_precision: "relevant" or "cutoff"
  bool single_value = false;      // of reciprocal_rank
};

// For queries of at most `longest` documents. Throws InvalidArgument where the name is
// unknown or a parameter lacks.
std::unique_ptr<Metric> make_metric(const MetricSpec& spec, std::size_t longest);

// "order", "average", "together", "best", "worst", "document".
Ties ties_named(const std::string& name);
// "pad", "shrink", "zero", "undefined", "drop".
ShortList short_list_named(const std::string& name);

}  // namespace rankmix::metric
