// A hash of the features of a row, for orders that do not depend on the order of rows.
// The hash is a sum over the features, so columns can be added in any order.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/random.h"

namespace rankmix::data {

// The hash of a value at this position of the row. The hash of 0 is 0, so zeros need not
// be stored. All missing values have the same hash.
inline std::uint64_t value_hash(double value, std::size_t position) {
  if (value == 0.0) {
    return 0;
  }
  std::uint64_t bits = 1;
  if (!std::isnan(value)) {
    std::memcpy(&bits, &value, sizeof(bits));
  }
  return mix_bits(bits ^ mix_bits(position + 1));
}

}  // namespace rankmix::data
