// Conversion of the objective of yetirank() from R to the core.
#pragma once
#include <Rcpp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/objective/yeti.h"

namespace rankmix {

// A key for each row, from the id of its query and its position in `order`. `spec` has
// the `order` and `offsets` of the queries, and their ids. If `order` sorts by content,
// the keys do not depend on the order of the rows, up to swaps of equal documents.
std::vector<std::uint64_t> row_keys(const Rcpp::List& spec);

// `value` is the result of settled_objective().
std::unique_ptr<objective::Yeti> make_yeti(const Rcpp::List& value);

}  // namespace rankmix
