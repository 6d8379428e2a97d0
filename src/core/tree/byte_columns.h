// The features that a forest asks for as bytes, so that 32 rows answer the question of a
// node, "x <= threshold?", by one comparison. AVX2 only.
//
// Given:   the nodes of a forest, and rows of doubles, NaN where a value is missing.
// Result:  for each feature that nodes use the distinct thresholds t_1 < t_2 < ... of
//          these nodes, in columns of at most 255; for a value x and a column the byte
//          b = #{j : t_j < x}, so that "x <= t_j" is "b < j"; and for each node its
//          column and this j, its limit. All bytes are less 128, since AVX2 compares
//          signed bytes.
// A missing value goes left at some nodes and right at others. So a column has two
// versions: the byte of a missing value is the least in the one, below all limits, and
// the greatest in the other. Slot 2 c is the version of column c for nodes that send
// missing values left, slot 2 c + 1 the other; both read the same bytes where no value is
// missing.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// Rows whose bytes in a slot lie side by side: four registers.
constexpr std::size_t kSliceRows = 128;

// Some rows as bytes, slice by slice.
class ByteBlock {
 public:
  ByteBlock(std::size_t slices, std::size_t slots);

  // Where each slot of slice s is read.
  const std::int8_t* const* slice(std::size_t s) const {
    return read_at_.data() + s * slots_;
  }
  // Where the bytes of a slot are, if it has its own. Second versions, which are rare,
  // lie behind all first ones, lest they part what the cache has to hold.
  std::int8_t* bytes(std::size_t s, std::size_t slot) {
    const std::size_t place = slot % 2 * (slots_ / 2) + slot / 2;
    return bytes_.data() + (s * slots_ + place) * kSliceRows;
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

class ByteColumns {
 public:
  // Whether bytes can answer for the nodes: "x <= NaN" is no question of order.
  static bool can_answer(const ForestView& forest);

  ByteColumns(const ForestView& forest, std::size_t features, Host& host);

  std::size_t slots() const { return 2 * columns_.size(); }
  // Node n of the forest sends the rows left whose byte in the slot is below the limit.
  std::uint32_t slot(std::size_t n) const { return slots_of_[n]; }
  std::int8_t limit(std::size_t n) const { return limits_[n]; }

  // Fills the first slices of the block with the rows [begin, end) of x, and the last of
  // these slices up with rows of no meaning.
  void fill(MatrixView<const double> x, std::size_t begin, std::size_t end,
            ByteBlock& block) const;
  void fill(const SparseView& x, std::size_t begin, std::size_t end,
            ByteBlock& block) const;

 private:
  // A node's threshold.
  struct Question {
    double threshold;
    std::size_t node;
  };
  struct Column {
    std::size_t feature;
    std::size_t first;  // of its keys in keys_
    std::size_t thresholds;
    bool missing_right;  // at some node
    std::int8_t byte_of_0;
  };

  void add_feature(std::size_t feature, View<const Question> questions,
                   const ForestView& forest);
  void add_column(std::size_t feature, const std::vector<double>& thresholds,
                  bool missing_right);
  void find_bytes(const Column& column, const double* values, std::size_t count,
                  std::int8_t* bytes) const;
  template <class RowOf>
  void place_missing(std::size_t c, const double* values, std::size_t count,
                     const RowOf& row_of, std::size_t s, ByteBlock& block) const;

  std::vector<Column> columns_;
  AlignedVector<double> keys_;
  std::vector<std::uint32_t> slots_of_;
  std::vector<std::int8_t> limits_;
};

}  // namespace rankmix::tree
#endif
