// Rows as bytes, and the tests of a forest's nodes on these bytes. "x <= threshold"
// becomes "byte < limit", so that one instruction tests 32 rows. byte_columns.h and
// ranked_rows.h compute bytes and limits, and sliced.h evaluates the tests. AVX2 only.
//
// Each column of bytes has two versions, which differ where a value is missing. In slot 2
// c the byte of a missing value is below all limits, for nodes that send missing values
// left. In slot 2 c + 1 the byte of a missing value is above all limits, for the other
// nodes. If no value is missing, both slots refer to the same bytes.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/aligned.h"

namespace rankmix::tree {

// Rows of a slice. Their bytes in one slot are contiguous and fill four registers.
constexpr std::size_t kSliceRows = 128;
// The bytes of missing values in the two versions of a column.
constexpr std::int8_t kBelowLimits = std::numeric_limits<std::int8_t>::min();
constexpr std::int8_t kAboveLimits = std::numeric_limits<std::int8_t>::max();

// Several slices of rows as bytes.
class ByteBlock {
 public:
  ByteBlock(std::size_t slices, std::size_t slots)
      : slots_(slots), bytes_(slices * slots * kSliceRows), read_at_(slices * slots) {}

  // The address of the bytes of each slot, for slice s.
  const std::int8_t* const* slice(std::size_t s) const {
    return read_at_.data() + s * slots_;
  }
  // The memory for the bytes of a slot. Second versions, which are rarely needed, are
  // stored after all first versions, so that the cache holds fewer unused bytes.
  std::int8_t* bytes(std::size_t s, std::size_t slot) {
    const std::size_t position = slot % 2 * (slots_ / 2) + slot / 2;
    return bytes_.data() + (s * slots_ + position) * kSliceRows;
  }
  // Makes slot `slot` of slice s refer to the bytes of slot `from`.
  void read(std::size_t s, std::size_t slot, std::size_t from) {
    read_at_[s * slots_ + slot] = bytes(s, from);
  }

 private:
  std::size_t slots_;
  AlignedVector<std::int8_t> bytes_;
  std::vector<const std::int8_t*> read_at_;
};

// The tests of all nodes: node n sends a row left if the byte in slot_of[n] is below
// limit_of[n].
struct ByteQuestions {
  std::vector<std::uint32_t> slot_of;
  std::vector<std::int8_t> limit_of;
  std::size_t slots = 0;
};

}  // namespace rankmix::tree
#endif
