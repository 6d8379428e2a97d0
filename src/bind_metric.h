// A metric that R has resolved, as the core takes it.
#pragma once
#include <Rcpp.h>

#include <cstddef>
#include <memory>

#include "core/metric/metric.h"

namespace rankmix {

// `spec` is what metric_spec() gives; the queries' lengths decide about tables.
std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec,
                                          const data::Queries& queries);

std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec, std::size_t longest);

}  // namespace rankmix
