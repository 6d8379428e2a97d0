// The rows of each query.
//
// Rows stay in input order. `order` lists the rows query by query, in input order within
// a query. Query q has the rows order[offsets[q]] .. order[offsets[q + 1] - 1].
#pragma once
#include <cstddef>

#include "core/base/views.h"

namespace rankmix::data {

// Grades of at least kFirstLevel are levels: they number the distinct values of a
// relevance that is not graded. Levels increase with the value. Each query has its own
// levels.
constexpr int kFirstLevel = 128;

struct Queries {
  View<const int> order;    // rows, from 0
  View<const int> offsets;  // number of queries + 1

  std::size_t count() const { return offsets.size() - 1; }
  View<const int> rows_of(std::size_t query) const {
    const int begin = offsets[query];
    return {order.data() + begin, static_cast<std::size_t>(offsets[query + 1] - begin)};
  }
};

}  // namespace rankmix::data
