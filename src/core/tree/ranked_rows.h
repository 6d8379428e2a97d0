// The features of few rows as bytes: the ranks of the values among these rows. AVX2 only.
//
// Given:   the nodes of forests, and at most 128 rows of doubles, NaN where a value is
//          missing.
// Result:  for each feature that a node uses, the byte b(x) = #{i : x_i < x} of each row;
//          for each node, the limit j(t) = #{i : x_i <= t} of its threshold t. Then
//          "x <= t" is equivalent to "b(x) < j(t)". If x <= t, all values below x and x
//          itself are at or below t. Otherwise all values at or below t are below x. A
//          NaN threshold has limit 0, and only the byte of missing values is below it.
// In contrast, byte_columns.h sorts the thresholds of the forest, once for any number of
// rows. This file sorts the rows, because there are fewer of them, and looks up each
// threshold among them.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/views.h"
#include "core/tree/byte_block.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

class RankedRows {
 public:
  // The rows [begin, end) of x, at most kSliceRows.
  RankedRows(View<const ForestView> forests, MatrixView<const double> x,
             std::size_t begin, std::size_t end);
  RankedRows(View<const ForestView> forests, const SparseView& x, std::size_t begin,
             std::size_t end);

  // The tests of the nodes of one of these forests.
  ByteQuestions questions(const ForestView& forest) const;
  // The bytes of the rows, in a single slice.
  const ByteBlock& block() const { return block_; }

 private:
  RankedRows(View<const ForestView> forests, std::size_t features);

  void rank(std::size_t c, const double* values, std::size_t rows);

  std::vector<std::size_t> columns_;        // features that some node uses
  std::vector<std::uint32_t> position_of_;  // position of each feature in columns_
  AlignedVector<double> keys_;
  ByteBlock block_;
};

}  // namespace rankmix::tree
#endif
