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

// The hash of a text that comes in pieces. `size` is the number of bytes of all pieces.
class PiecewiseHash {
 public:
  explicit PiecewiseHash(std::size_t size) : hash_(size) {}
  void add(const char* piece, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      word_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(piece[i])) << shift_;
      shift_ += 8;
      if (shift_ == 64) {
        end_word();
      }
    }
  }
  // The hash, after the last piece.
  std::uint64_t finish() {
    if (shift_ > 0) {
      end_word();
    }
    return hash_;
  }

 private:
  void end_word() {
    hash_ = mix_bits(hash_ ^ word_);
    word_ = 0;
    shift_ = 0;
  }

  std::uint64_t hash_;
  std::uint64_t word_ = 0;
  int shift_ = 0;
};

}  // namespace rankmix
