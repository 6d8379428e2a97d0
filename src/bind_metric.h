// Conversion of metrics from R to the core.
#pragma once
#include <Rcpp.h>

#include <cstddef>
#include <memory>

#include "core/metric/metric.h"

namespace rankmix {

// `spec` is the result of metric_spec(). Tables of discounts are as long as the longest
// query.
std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec,
                                          const data::Queries& queries);

std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec, std::size_t longest);

}  // namespace rankmix
