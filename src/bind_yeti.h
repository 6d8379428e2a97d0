// The objective of yetirank() between R and the core.
#pragma once
#include <Rcpp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/objective/yeti.h"

namespace rankmix {

// A key for each row of the data, by the name of its query and its position in `order`:
// `spec` has the `order` and `offsets` of the queries, and what they are called. In an
// order by content, equal documents have the keys that they had elsewhere in the data.
std::vector<std::uint64_t> row_keys(const Rcpp::List& spec);

// `value` is what settled_objective() gives.
std::unique_ptr<objective::Yeti> make_yeti(const Rcpp::List& value);

}  // namespace rankmix
