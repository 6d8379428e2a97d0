// How many bits a number takes.
#pragma once
#include <cstddef>

namespace rankmix {

// Of the number without leading zeros; 0 takes none.
inline int bits_for(std::size_t number) {
  int bits = 0;
  while (number >> bits != 0) {
    ++bits;
  }
  return bits;
}

}  // namespace rankmix
