// The implementation of Reducer for R: the functions of a communicator (R/cluster.R).
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/base/reducer.h"

namespace rankmix {

// `cluster` is a communicator, or NULL for a single rank, whose reducer is null.
std::unique_ptr<Reducer> reducer_of(const Rcpp::RObject& cluster);

}  // namespace rankmix
