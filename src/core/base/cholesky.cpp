#include "core/base/cholesky.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/products.h"

namespace rankmix::dense {
namespace {

// Number of columns in a block. Within a block, sums have at most this many products.
constexpr std::size_t kBlock = 8;

}  // namespace

// Column blocks from left to right. The columns on the left contribute dot products of
// rows of L to a block. For these products, the copy of L has contiguous rows.
bool factor_positive(double* lower, std::size_t size) {
  std::vector<double> rows(size * size);
  for (std::size_t from = 0; from < size; from += kBlock) {
    const std::size_t end = std::min(size, from + kBlock);
    const double* first = rows.data() + from * size;
    add_products({first, size, size - from, from}, {first, size, end - from, from}, -1.0,
                 true, lower + from * size + from, size);
    for (std::size_t j = from; j < end; ++j) {
      double* column = lower + j * size;
      for (std::size_t k = from; k < j; ++k) {
        const double* left = lower + k * size;
        const double factor = left[j];
        for (std::size_t i = j; i < size; ++i) {
          column[i] -= left[i] * factor;
        }
      }
      const double pivot = column[j];
      if (!(pivot > 0.0) || !std::isfinite(pivot)) {
        return false;
      }
      const double root = std::sqrt(pivot);
      column[j] = root;
      rows[j * size + j] = root;
      for (std::size_t i = j + 1; i < size; ++i) {
        column[i] /= root;
        rows[i * size + j] = column[i];
      }
    }
  }
  return true;
}

void solve_by_factor(const double* lower, std::size_t size, double* x) {
  for (std::size_t j = 0; j < size; ++j) {
    x[j] /= lower[j * size + j];
    for (std::size_t i = j + 1; i < size; ++i) {
      x[i] -= lower[j * size + i] * x[j];
    }
  }
  for (std::size_t j = size; j-- > 0;) {
    const double* column = lower + j * size;
    const double known = dot_product(column + j + 1, x + j + 1, size - j - 1);
    x[j] = (x[j] - known) / column[j];
  }
}

}  // namespace rankmix::dense
