// Rows as bytes, and what the nodes of a forest ask of them: "x <= threshold?" is
// "byte < limit?", so that one comparison answers for 32 rows. byte_columns.h and
// ranked_rows.h make both, sliced.h asks. AVX2 only.
//
// Each column of bytes has two versions, which differ where a value is missing: its byte
// is below all limits in slot 2 c, for the nodes that send missing values left, and above
// all in slot 2 c + 1. Both read the same bytes where no value is missing.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/aligned.h"

namespace rankmix::tree {

// Rows whose bytes in a slot lie side by side: four registers.
constexpr std::size_t kSliceRows = 128;
// The bytes of missing values.
constexpr std::int8_t kBelowLimits = std::numeric_limits<std::int8_t>::min();
constexpr std::int8_t kAboveLimits = std::numeric_limits<std::int8_t>::max();

// Some rows as bytes, slice by slice.
class ByteBlock {
 public:
  ByteBlock(std::size_t slices, std::size_t slots)
      : slots_(slots), bytes_(slices * slots * kSliceRows), read_at_(slices * slots) {}

  // Where each slot of slice s is read.
  const std::int8_t* const* slice(std::size_t s) const {
    return read_at_.data() + s * slots_;
  }
  // Where the bytes of a slot are, if it has its own. Second versions, which are rare,
  // lie behind all first ones, lest they part what the cache has to hold.
  std::int8_t* bytes(std::size_t s, std::size_t slot) {
    const std::size_t position = slot % 2 * (slots_ / 2) + slot / 2;
    return bytes_.data() + (s * slots_ + position) * kSliceRows;
  }
  // Slot `slot` of slice s is read where the bytes of slot `from` are.
  void read(std::size_t s, std::size_t slot, std::size_t from) {
    read_at_[s * slots_ + slot] = bytes(s, from);
  }

 private:
  std::size_t slots_;
  AlignedVector<std::int8_t> bytes_;
  std::vector<const std::int8_t*> read_at_;
};

// Node n of the forest sends the rows left whose byte in slot_of[n] is below limit_of[n].
struct ByteQuestions {
  std::vector<std::uint32_t> slot_of;
  std::vector<std::int8_t> limit_of;
  std::size_t slots = 0;
};

}  // namespace rankmix::tree
#endif
