#include "core/base/products.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/simd.h"

namespace rankmix {
namespace {

constexpr std::size_t kLanes = 4;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// A tile of kRows x kColumns sums, each of kLanes numbers, fits into the sixteen
// registers of AVX2, together with its operands.
constexpr std::size_t kRows = 3;
constexpr std::size_t kColumns = 4;

// Passed by reference, since wide registers cannot be passed by value without AVX.
RANKMIX_INLINE void load(const double* from, std::size_t count, Lanes& to) {
  if (count == kLanes) {
    std::memcpy(&to, from, sizeof(Lanes));
  } else {
    to = Lanes{};
    std::memcpy(&to, from, count * sizeof(double));
  }
}

// Adds a_i' b_j for I rows and J columns. Folds over index sequences, because compilers
// keep the sums in registers only if every index is a constant.
template <std::size_t... I, std::size_t... J, std::size_t... All>
RANKMIX_INLINE void sum_tile(const Vectors& a, const Vectors& b,
                             std::index_sequence<I...>, std::index_sequence<J...>,
                             std::index_sequence<All...>, double* products) {
  constexpr std::size_t columns = sizeof...(J);
  Lanes sums[sizeof...(All)] = {};
  Lanes x[sizeof...(I)];
  Lanes y[columns];
  for (std::size_t r = 0; r < a.size; r += kLanes) {
    const std::size_t count = std::min(kLanes, a.size - r);
    (load(a.first + I * a.stride + r, count, x[I]), ...);
    (load(b.first + J * b.stride + r, count, y[J]), ...);
    ((sums[All] += x[All / columns] * y[All % columns]), ...);
  }
  double parts[sizeof...(All) * kLanes];
  std::memcpy(parts, sums, sizeof(parts));
  ((products[All] = sum_lanes<kLanes>(parts + All * kLanes)), ...);
}

template <std::size_t Rows, std::size_t Columns>
RANKMIX_INLINE void add_tile(const Vectors& a, const Vectors& b, std::size_t i,
                             std::size_t j, double sign, bool lower, double* result,
                             std::size_t stride) {
  double products[Rows * Columns];
  sum_tile({a.first + i * a.stride, a.stride, Rows, a.size},
           {b.first + j * b.stride, b.stride, Columns, b.size},
           std::make_index_sequence<Rows>(), std::make_index_sequence<Columns>(),
           std::make_index_sequence<Rows * Columns>(), products);
  for (std::size_t k = 0; k < Columns; ++k) {
    for (std::size_t m = 0; m < Rows; ++m) {
      if (!lower || i + m >= j + k) {
        result[(i + m) + (j + k) * stride] += sign * products[m * Columns + k];
      }
    }
  }
}

template <std::size_t Columns>
RANKMIX_INLINE void add_columns(const Vectors& a, const Vectors& b, std::size_t j,
                                double sign, bool lower, double* result,
                                std::size_t stride) {
  std::size_t i = lower ? j : 0;
  for (; i + kRows <= a.count; i += kRows) {
    add_tile<kRows, Columns>(a, b, i, j, sign, lower, result, stride);
  }
  for (; i < a.count; ++i) {
    add_tile<1, Columns>(a, b, i, j, sign, lower, result, stride);
  }
}

RANKMIX_INLINE void add_all(const Vectors& a, const Vectors& b, double sign, bool lower,
                            double* result, std::size_t stride) {
  std::size_t j = 0;
  for (; j + kColumns <= b.count; j += kColumns) {
    add_columns<kColumns>(a, b, j, sign, lower, result, stride);
  }
  for (; j < b.count; ++j) {
    add_columns<1>(a, b, j, sign, lower, result, stride);
  }
}

void add_plain(const Vectors& a, const Vectors& b, double sign, bool lower,
               double* result, std::size_t stride) {
  add_all(a, b, sign, lower, result, stride);
}
RANKMIX_AVX2 void add_avx2(const Vectors& a, const Vectors& b, double sign, bool lower,
                           double* result, std::size_t stride) {
  add_all(a, b, sign, lower, result, stride);
}

}  // namespace

void add_products(const Vectors& a, const Vectors& b, double sign, bool lower,
                  double* result, std::size_t stride) {
  (has_avx2() ? add_avx2 : add_plain)(a, b, sign, lower, result, stride);
}

double dot_product(const double* a, const double* b, std::size_t size) {
  double product[1] = {0.0};
  add_products({a, size, 1, size}, {b, size, 1, size}, 1.0, false, product, 1);
  return product[0];
}

}  // namespace rankmix
