// Sums of products of doubles in one order on every processor.
//
// A dot product of n numbers is kept in four sums: number r goes to sum r % 4, from the
// first r to the last. The four are then added in their order. So the bits do not depend
// on the width of registers, on the size of caches, or on which products are computed
// together.
#pragma once
#include <cstddef>

namespace rankmix {

// `count` vectors of `size` numbers each, at distances of `stride`.
struct Vectors {
  const double* first;
  std::size_t stride;
  std::size_t count;
  std::size_t size;
};

// result[i + j * stride] += sign * a_i' b_j for i < a.count, j < b.count. `a` and `b` have
// one size. With `lower` only i >= j. `sign` is 1 or -1.
void add_products(const Vectors& a, const Vectors& b, double sign, bool lower,
                  double* result, std::size_t stride);

double dot_product(const double* a, const double* b, std::size_t size);

}  // namespace rankmix
