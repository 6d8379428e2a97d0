// Products of matrices, tile by tile, in single precision: all that a network spends its
// time on.
//
// Eigen is not asked: the order of its sums depends on the size of the processor's
// caches, and it has one width of registers, that of the compiler's options. Here a sum
// goes over the inputs in their order, or over documents in fixed parts, so that bits
// depend on the numbers alone.
#pragma once
#include <cstddef>

namespace rankmix::network {

// A table of inputs x outputs, an input's outputs side by side.
struct WeightTable {
  const float* weights;
  std::size_t inputs;
  std::size_t outputs;
};

// Tiles one after the other, of so many features each; or wherever they are.
struct TileRow {
  const float* first;
  std::size_t features;
};
struct TileList {
  const float* const* tiles;
};

// out = start + in weights: of tiles x inputs, tiles x outputs. `start` has a number for
// each output, or is null for 0.
void multiply(const TileRow& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out);
void multiply(const TileList& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out);

// sums += in' gradients, inputs x outputs as a table is: of tiles x inputs and tiles x
// outputs. Documents are added up in single precision, and these sums to `sums` in
// double.
void add_products(const TileRow& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums);
void add_products(const TileList& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums);

// sums[u] += the sum over documents, of tiles x outputs.
void add_columns(const float* values, std::size_t outputs, std::size_t tiles,
                 double* sums);
// The same of a product, number by number.
void add_column_products(const float* a, const float* b, std::size_t outputs,
                         std::size_t tiles, double* sums);

}  // namespace rankmix::network
