// Values of rows in another order of the rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix {

// The i-th value is what the one of row order[i] was; `width` numbers are a value.
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
