// Number of bits of an integer.
#pragma once
#include <cstddef>

namespace rankmix {

// The number of binary digits of `number` without leading zeros: 0 for 0, 1 for 1, 2 for
// 2 and 3.
inline int bits_for(std::size_t number) {
  int bits = 0;
  while (number >> bits != 0) {
    ++bits;
  }
  return bits;
}

}  // namespace rankmix
