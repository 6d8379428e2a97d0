// The loops of sliced prediction that take the time, for the rows of a slice. AVX2 only.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/views.h"

namespace rankmix::tree {

// Rows on `path` whose byte in `slot` is not below the limit change to path ^ change.
struct SlicedNode {
  std::uint32_t slot;
  std::int8_t limit;
  std::uint8_t path;
  std::uint8_t change;
};

// The paths of the rows in a tree of these nodes, all beginning on path 0. `slots` are
// those of the slice.
void find_paths(View<const SlicedNode> nodes, const std::int8_t* const* slots,
                std::uint32_t* paths);

// The answers of the rows to tests that all are asked: rows whose byte is not below the
// limit have `change`.
void find_answers(View<const SlicedNode> tests, const std::int8_t* const* slots,
                  std::uint32_t* answers);

// The values of the rows in a tree: those of row i begin at values[stride * leaves[i]],
// and what they are added to at sums[stride * i]. A stride is 1 or a multiple of 4.
struct LeafValues {
  const double* values;
  const std::uint32_t* leaves;
  std::size_t stride;
};

// Adds those of the first tree, then of the second and so on: sums are read and written
// once for all of them.
constexpr std::size_t kTogether = 4;
void add_values(const std::array<LeafValues, kTogether>& trees, double* sums);

void add_values(const LeafValues& tree, double* sums);
void copy_values(const LeafValues& tree, double* products);
void multiply_by_values(const LeafValues& tree, double* products);
void add_weighted(double weight, const double* products, std::size_t stride,
                  double* sums);

}  // namespace rankmix::tree
#endif
