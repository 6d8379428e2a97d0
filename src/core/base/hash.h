// Hashes of texts, such as ids of documents and queries.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/random.h"

namespace rankmix {

// Reads eight bytes at a time in little-endian order, so that all processors give the
// same hash.
inline std::uint64_t hash_text(const char* text, std::size_t size) {
  std::uint64_t hash = size;
  for (std::size_t first = 0; first < size; first += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = first; i < std::min(size, first + 8); ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]))
              << (8 * (i - first));
    }
    hash = mix_bits(hash ^ word);
  }
  return hash;
}

}  // namespace rankmix
