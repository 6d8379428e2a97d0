// An objective of the user's, in R.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/objective/objective.h"

namespace rankmix {

// `value$gradients` is a function of the number of a query, its rows, from 1, and their
// scores. It gives the gradients and then the hessians, and has checked them.
std::unique_ptr<objective::Objective> make_custom(const Rcpp::List& value);

}  // namespace rankmix
