// The features of few rows as bytes: their ranks among these rows. AVX2 only.
//
// Given:   the nodes of forests, and at most 128 rows of doubles, NaN where a value is
//          missing.
// Result:  for each feature that nodes use the byte b(x) = #{i : x_i < x} of each row;
//          for each node the limit j(t) = #{i : x_i <= t} of its threshold t. Then
//          "x <= t" is "b(x) < j(t)": if x <= t, all that is below x, and x itself, is at
//          or below t; else all that is at or below t is below x. A threshold of NaN has
//          the limit 0, which only missing values may be below.
// byte_columns.h sorts the thresholds of the forest instead, once for any number of rows.
// Here the rows are sorted, which are fewer, and each threshold is looked up among them.
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

  // What the nodes of one of these forests ask of the rows.
  ByteQuestions questions(const ForestView& forest) const;
  // The rows, in its only slice.
  const ByteBlock& block() const { return block_; }

 private:
  RankedRows(View<const ForestView> forests, std::size_t features);

  void rank(std::size_t c, const double* values, std::size_t rows);

  std::vector<std::size_t> columns_;        // the features that nodes use
  std::vector<std::uint32_t> position_of_;  // of a feature among them
  AlignedVector<double> keys_;
  ByteBlock block_;
};

}  // namespace rankmix::tree
#endif
