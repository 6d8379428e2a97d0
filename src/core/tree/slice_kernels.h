// The inner loops of sliced prediction, for the rows of a slice. AVX2 only.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/views.h"

namespace rankmix::tree {

// A row on `path` goes right if its byte in `slot` is not below the limit. It then moves
// to path ^ change.
struct SlicedNode {
  std::uint32_t slot;
  std::int8_t limit;
  std::uint8_t path;
  std::uint8_t change;
};

// Finds the path on which each row of a slice ends in the tree with these nodes; see
// sliced.h. All rows start on path 0. `slots` has the address of the bytes of each slot.
void find_paths(View<const SlicedNode> nodes, const std::int8_t* const* slots,
                std::uint32_t* paths);

// Evaluates all tests for each row of a slice. answers[i] is the bitwise OR of `change`
// over the tests whose limit is not above the byte of row i.
void find_answers(View<const SlicedNode> tests, const std::int8_t* const* slots,
                  std::uint32_t* answers);

// The leaf values of the rows of a slice in one tree. The values of row i start at
// values[stride * leaves[i]]. They are combined with the sums or products of row i, which
// start at position stride * i of their array. `stride` is 1 or a multiple of 4.
struct LeafValues {
  const double* values;
  const std::uint32_t* leaves;
  std::size_t stride;
};

// Number of trees whose values are added together, in the order of the trees. The sums
// are then read and written once for all of them.
constexpr std::size_t kTogether = 4;
void add_values(const std::array<LeafValues, kTogether>& trees, double* sums);

void add_values(const LeafValues& tree, double* sums);
void copy_values(const LeafValues& tree, double* products);
void multiply_by_values(const LeafValues& tree, double* products);
void add_weighted(double weight, const double* products, std::size_t stride,
                  double* sums);

}  // namespace rankmix::tree
#endif
