// Objectives that users define in R.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/objective/objective.h"

namespace rankmix {

// `value$gradients` is an R function of the index of a query, its rows, and their scores.
// Indices and rows count from 1. It returns the gradients followed by the hessians,
// already checked.
std::unique_ptr<objective::Objective> make_custom(const Rcpp::List& value);

}  // namespace rankmix
