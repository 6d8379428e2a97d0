// The implementation of Reducer for R: the functions of a communicator (R/cluster.R).
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/base/reducer.h"

namespace rankmix {

// `cluster` is a communicator, or NULL for a single rank, whose reducer is null.
std::unique_ptr<Reducer> reducer_of(const Rcpp::RObject& cluster);

// The communicator among the settings of a fit; NULL for a single rank.
Rcpp::RObject cluster_of(const Rcpp::List& settings);

}  // namespace rankmix
