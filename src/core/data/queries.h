// Which documents belong to which query.
//
// Rows stay in the order of the input; `order` lists them query after query, in input
// order within a query, and query q owns order[offsets[q]] .. order[offsets[q + 1] - 1].
#pragma once
#include <cstddef>

#include "core/base/views.h"

namespace rankmix::data {

struct Queries {
  View<const int> order;    // rows, from 0
  View<const int> offsets;  // one more than queries

  std::size_t count() const { return offsets.size() - 1; }
  View<const int> rows_of(std::size_t query) const {
    const int begin = offsets[query];
    return {order.data() + begin, static_cast<std::size_t>(offsets[query + 1] - begin)};
  }
};

}  // namespace rankmix::data
