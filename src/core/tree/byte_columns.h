// The features that a forest asks for as bytes, so that 32 rows answer the question of a
// node, "x <= threshold?", by one comparison. AVX2 only.
//
// Given:   the nodes of a forest, and rows of doubles, NaN where a value is missing.
// Result:  for each feature that nodes use the distinct thresholds t_1 < t_2 < ... of
//          these nodes, in columns of at most 255; for a value x and a column the byte
//          b = #{j : t_j < x}, so that "x <= t_j" is "b < j"; and for each node its
//          column and this j, its limit. All bytes are less 128, since AVX2 compares
//          signed bytes.
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
  // Whether bytes can answer for the nodes: "x <= NaN" is no question of order.
  static bool can_answer(const ForestView& forest);

  ByteColumns(const ForestView& forest, std::size_t features, Host& host);

  const ByteQuestions& questions() const { return questions_; }

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
  ByteQuestions questions_;
};

}  // namespace rankmix::tree
#endif
