// Features as bytes, so that one instruction evaluates the test of a node, "x <=
// threshold", for 32 rows. AVX2 only.
//
// Given:   the nodes of a forest, and rows of doubles, NaN where a value is missing.
// Result:  for each feature that a node uses, the distinct thresholds t_1 < t_2 < ... of
//          these nodes, in columns of at most 255; for a value x and a column, the byte b
//          = #{j : t_j < x}, so that "x <= t_j" is equivalent to "b < j"; for each node,
//          its column and this j, its limit. 128 is subtracted from all bytes, since AVX2
//          compares signed bytes.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/byte_block.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

class ByteColumns {
 public:
  // Whether bytes can represent all tests. A threshold of NaN has no rank among the
  // others.
  static bool can_answer(const ForestView& forest);

  ByteColumns(const ForestView& forest, std::size_t features, Host& host);

  const ByteQuestions& questions() const { return questions_; }

  // Writes the rows [begin, end) of x to the first slices of the block. If the rows do
  // not fill the last of these slices, the remaining bytes are undefined.
  void fill(MatrixView<const double> x, std::size_t begin, std::size_t end,
            ByteBlock& block) const;
  void fill(const SparseView& x, std::size_t begin, std::size_t end,
            ByteBlock& block) const;

 private:
  // The threshold of a node.
  struct Question {
    double threshold;
    std::size_t node;
  };
  struct Column {
    std::size_t feature;
    std::size_t first;  // position of its first key in keys_
    std::size_t thresholds;
    bool missing_right;  // for at least one node
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
  ByteQuestions questions_;
};

}  // namespace rankmix::tree
#endif
