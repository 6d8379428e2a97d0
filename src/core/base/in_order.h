// Reorders the values of rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix {

// Returns a copy in which the i-th value is the value of row order[i]. Each value
// consists of `width` consecutive numbers. `order` must be a permutation of all rows.
template <class Values>
Values in_order(const Values& values, View<const std::uint32_t> order, Host& host,
                std::size_t width = 1) {
  Values moved(values.size());
  for_each_block(host, order.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const auto* from = values.data() + width * order[i];
                     std::copy(from, from + width, moved.data() + width * i);
                   }
                 });
  return moved;
}

}  // namespace rankmix
