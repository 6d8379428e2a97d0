#include "core/network/products.h"

#include <utility>

#include "core/base/aligned.h"
#include "core/base/prefetch.h"
#include "core/base/simd.h"
#include "core/network/lanes.h"

namespace rankmix::network {
namespace {

// A compile-time list of indices. Loops over it are unrolled, so that each number stays
// in a register.
template <std::size_t... K>
using Numbers = std::index_sequence<K...>;

RANKMIX_INLINE const float* tile_of(const TileRow& row, std::size_t t) {
  return row.first + t * row.features * kLanes;
}
RANKMIX_INLINE const float* tile_of(const TileList& list, std::size_t t) {
  return list.tiles[t];
}

// Tiles of a list are training data, which do not fit into any cache.
RANKMIX_INLINE void prefetch_tile(const TileRow&, std::size_t, std::size_t) {}
RANKMIX_INLINE void prefetch_tile(const TileList& list, std::size_t t,
                                  std::size_t features) {
  constexpr std::size_t line = kCacheLine / sizeof(float);
  for (std::size_t i = 0; i < features * kLanes; i += line) {
    prefetch(list.tiles[t] + i);
  }
}

// Computes the outputs first + K of a tile.
template <std::size_t... K>
RANKMIX_INLINE void some_outputs(Numbers<K...>, const float* in, const WeightTable& table,
                                 std::size_t first, const float* start, float* out) {
  Lanes sum[sizeof...(K)];
  ((sum[K] = Lanes{} + (start == nullptr ? 0.0f : start[first + K])), ...);
  const float* row = table.weights + first;
  for (std::size_t j = 0; j < table.inputs; ++j, row += table.outputs) {
    Lanes x;
    load(in + j * kLanes, x);
    ((sum[K] += x * row[K]), ...);
  }
  (store(sum[K], out + (first + K) * kLanes), ...);
}

template <class Tiles>
RANKMIX_INLINE void multiply_tiles(const Tiles& in, std::size_t tiles,
                                   const WeightTable& table, const float* start,
                                   float* out) {
  for (std::size_t t = 0; t < tiles; ++t) {
    const float* from = tile_of(in, t);
    if (t + 1 < tiles) {
      prefetch_tile(in, t + 1, table.inputs);
    }
    float* to = out + t * table.outputs * kLanes;
    std::size_t u = 0;
    for (; u + 8 <= table.outputs; u += 8) {
      some_outputs(std::make_index_sequence<8>(), from, table, u, start, to);
    }
    if (u + 4 <= table.outputs) {
      some_outputs(std::make_index_sequence<4>(), from, table, u, start, to);
      u += 4;
    }
    if (u + 2 <= table.outputs) {
      some_outputs(std::make_index_sequence<2>(), from, table, u, start, to);
      u += 2;
    }
    if (u < table.outputs) {
      some_outputs(std::make_index_sequence<1>(), from, table, u, start, to);
    }
  }
}

RANKMIX_INLINE double sum_of(const Lanes& lanes) {
  float x[kLanes];
  store(lanes, x);
  return ((double{x[0]} + x[1]) + (double{x[2]} + x[3])) +
         ((double{x[4]} + x[5]) + (double{x[6]} + x[7]));
}

// Adds the products of inputs and outputs in a small rectangle that starts at input j and
// output u.
template <std::size_t kOutputs, class Tiles, std::size_t... K>
RANKMIX_INLINE void some_products(Numbers<K...>, const Tiles& in, const float* deltas,
                                  std::size_t outputs, std::size_t tiles, std::size_t j,
                                  std::size_t u, double* sums) {
  Lanes sum[sizeof...(K)] = {};
  const float* y = deltas + u * kLanes;
  for (std::size_t t = 0; t < tiles; ++t) {
    const float* x = tile_of(in, t) + j * kLanes;
    Lanes a[sizeof...(K)];
    Lanes b[sizeof...(K)];
    ((load(x + K / kOutputs * kLanes, a[K]), load(y + K % kOutputs * kLanes, b[K]),
      sum[K] += a[K] * b[K]),
     ...);
    y += outputs * kLanes;
  }
  ((sums[(j + K / kOutputs) * outputs + u + K % kOutputs] += sum_of(sum[K])), ...);
}

template <class Tiles>
RANKMIX_INLINE void add_tile_products(const Tiles& in, std::size_t inputs,
                                      const float* deltas, std::size_t outputs,
                                      std::size_t tiles, double* sums) {
  std::size_t j = 0;
  for (; j + 4 <= inputs; j += 4) {
    std::size_t u = 0;
    for (; u + 2 <= outputs; u += 2) {
      some_products<2>(std::make_index_sequence<8>(), in, deltas, outputs, tiles, j, u,
                       sums);
    }
    if (u < outputs) {
      some_products<1>(std::make_index_sequence<4>(), in, deltas, outputs, tiles, j, u,
                       sums);
    }
  }
  for (; j < inputs; ++j) {
    std::size_t u = 0;
    for (; u + 4 <= outputs; u += 4) {
      some_products<4>(std::make_index_sequence<4>(), in, deltas, outputs, tiles, j, u,
                       sums);
    }
    for (; u < outputs; ++u) {
      some_products<1>(std::make_index_sequence<1>(), in, deltas, outputs, tiles, j, u,
                       sums);
    }
  }
}

template <class Tiles>
void multiply_plain(const Tiles& in, std::size_t tiles, const WeightTable& table,
                    const float* start, float* out) {
  multiply_tiles(in, tiles, table, start, out);
}
template <class Tiles>
RANKMIX_AVX2 void multiply_avx2(const Tiles& in, std::size_t tiles,
                                const WeightTable& table, const float* start,
                                float* out) {
  multiply_tiles(in, tiles, table, start, out);
}

template <class Tiles>
void add_products_plain(const Tiles& in, std::size_t inputs, const float* deltas,
                        std::size_t outputs, std::size_t tiles, double* sums) {
  add_tile_products(in, inputs, deltas, outputs, tiles, sums);
}
template <class Tiles>
RANKMIX_AVX2 void add_products_avx2(const Tiles& in, std::size_t inputs,
                                    const float* deltas, std::size_t outputs,
                                    std::size_t tiles, double* sums) {
  add_tile_products(in, inputs, deltas, outputs, tiles, sums);
}

template <class Tiles>
void multiply_any(const Tiles& in, std::size_t tiles, const WeightTable& table,
                  const float* start, float* out) {
  (has_avx2() ? multiply_avx2<Tiles> : multiply_plain<Tiles>)(in, tiles, table, start,
                                                              out);
}
template <class Tiles>
void add_products_any(const Tiles& in, std::size_t inputs, const float* deltas,
                      std::size_t outputs, std::size_t tiles, double* sums) {
  (has_avx2() ? add_products_avx2<Tiles>
              : add_products_plain<Tiles>)(in, inputs, deltas, outputs, tiles, sums);
}

}  // namespace

void multiply(const TileRow& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out) {
  multiply_any(in, tiles, table, start, out);
}
void multiply(const TileList& in, std::size_t tiles, const WeightTable& table,
              const float* start, float* out) {
  multiply_any(in, tiles, table, start, out);
}

void add_products(const TileRow& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums) {
  add_products_any(in, inputs, deltas, outputs, tiles, sums);
}
void add_products(const TileList& in, std::size_t inputs, const float* deltas,
                  std::size_t outputs, std::size_t tiles, double* sums) {
  add_products_any(in, inputs, deltas, outputs, tiles, sums);
}

void add_columns(const float* values, std::size_t outputs, std::size_t tiles,
                 double* sums) {
  for (std::size_t u = 0; u < outputs; ++u) {
    Lanes sum = {};
    for (std::size_t t = 0; t < tiles; ++t) {
      Lanes x;
      load(values + (t * outputs + u) * kLanes, x);
      sum += x;
    }
    sums[u] += sum_of(sum);
  }
}

void add_column_products(const float* a, const float* b, std::size_t outputs,
                         std::size_t tiles, double* sums) {
  for (std::size_t u = 0; u < outputs; ++u) {
    Lanes sum = {};
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t at = (t * outputs + u) * kLanes;
      Lanes x;
      Lanes y;
      load(a + at, x);
      load(b + at, y);
      sum += x * y;
    }
    sums[u] += sum_of(sum);
  }
}

}  // namespace rankmix::network
