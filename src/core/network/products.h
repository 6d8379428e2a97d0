// Matrix products, tile by tile, in single precision. A network spends nearly all its
// time here.
//
// Eigen is not used: the order of its sums depends on the sizes of the processor's
// caches, and its register width is fixed by compiler options. Here a sum is over the
// inputs in their order, or over documents in fixed parts, so that the bits of a result
// depend on the numbers alone.
#pragma once
#include <cstddef>

namespace rankmix::network {

// inputs x outputs, row-major.
struct WeightTable {
  const float* weights;
  std::size_t inputs;
  std::size_t outputs;
};

// Contiguous tiles of `features` features each; or tiles at arbitrary addresses.
struct TileRow {
  const float* first;
  std::size_t features;
};
struct TileList {
  const float* const* tiles;
};

// out = start + in * weights, where `in` is tiles x inputs and `out` is tiles x outputs.
// `start` has a number for each output, or is null for 0.
void multiply(const TileRow& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out);
void multiply(const TileList& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out);

// sums += in' * deltas, where `in` is tiles x inputs, `deltas` is tiles x outputs, and
// `sums` is inputs x outputs, row-major. Each product is summed over documents in single
// precision, lane by lane; the eight lanes are added in double precision.
void add_products(const TileRow& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums);
void add_products(const TileList& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums);

// sums[u] += the sum over documents of values, which are tiles x outputs.
void add_columns(const float* values, std::size_t outputs, std::size_t tiles,
                 double* sums);
// Like add_columns(), for the elementwise product of `a` and `b`.
void add_column_products(const float* a, const float* b, std::size_t outputs,
                         std::size_t tiles, double* sums);

}  // namespace rankmix::network
