#include "core/base/lu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/errors.h"
#include "core/base/products.h"

namespace rankmix::dense {
namespace {

// Number of columns in a block. Within a block, sums have at most this many products.
constexpr std::size_t kBlock = 8;

// Column blocks from left to right, as in cholesky.cpp. The columns on the left contribute
// dot products of rows of L and columns of U to a block. For these products, the copy of L
// has contiguous rows.
class Factors {
 public:
  Factors(std::vector<double> matrix, std::size_t size, Host& host)
      : size_(size), lu_(std::move(matrix)), rows_(size * size) {
    for (std::size_t from = 0; from < size_; from += kBlock) {
      host.checkpoint();
      const std::size_t end = std::min(size_, from + kBlock);
      for (std::size_t j = from; j < end; ++j) {
        swap_rows_of(column(j), from);
      }
      for (std::size_t k = 0; k < from; k += kBlock) {
        subtract(k, k + kBlock, k, from, end);
        for (std::size_t j = from; j < end; ++j) {
          divide_by_block(k, k + kBlock, column(j));
        }
      }
      subtract(from, size_, from, from, end);
      factor_block(from, end);
    }
  }

  void solve(std::vector<double>& x) const {
    swap_rows_of(x.data(), size_);
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t i = j + 1; i < size_; ++i) {
        x[i] -= column(j)[i] * x[j];
      }
    }
    for (std::size_t j = size_; j-- > 0;) {
      x[j] /= column(j)[j];
      for (std::size_t i = 0; i < j; ++i) {
        x[i] -= column(j)[i] * x[j];
      }
    }
  }

 private:
  double* column(std::size_t j) { return lu_.data() + j * size_; }
  const double* column(std::size_t j) const { return lu_.data() + j * size_; }

  // Applies the first swaps to a column.
  void swap_rows_of(double* x, std::size_t swaps) const {
    for (std::size_t k = 0; k < swaps; ++k) {
      std::swap(x[k], x[pivots_[k]]);
    }
  }

  // Subtracts the products of the first `known` columns of L and rows of U from the rows
  // [first, last) of the columns [from, end).
  void subtract(std::size_t first, std::size_t last, std::size_t known, std::size_t from,
                std::size_t end) {
    add_products({rows_.data() + first * size_, size_, last - first, known},
                 {column(from), size_, end - from, known}, -1.0, false,
                 column(from) + first, size_);
  }

  // Divides the rows [first, last) of x by their block of L, whose diagonal is 1.
  void divide_by_block(std::size_t first, std::size_t last, double* x) const {
    for (std::size_t j = first; j < last; ++j) {
      for (std::size_t i = j + 1; i < last; ++i) {
        x[i] -= column(j)[i] * x[j];
      }
    }
  }

  void factor_block(std::size_t from, std::size_t end) {
    for (std::size_t j = from; j < end; ++j) {
      const double* own = column(j);
      const auto pivot = static_cast<std::size_t>(
          std::max_element(own + j, own + size_,
                           [](double a, double b) { return std::abs(a) < std::abs(b); }) -
          own);
      pivots_.push_back(pivot);
      for (std::size_t k = from; k < end; ++k) {
        std::swap(column(k)[j], column(k)[pivot]);
      }
      swap_known_rows(j, pivot, j);
      for (std::size_t i = j + 1; i < size_; ++i) {
        column(j)[i] /= column(j)[j];
        rows_[i * size_ + j] = column(j)[i];
      }
      for (std::size_t k = j + 1; k < end; ++k) {
        for (std::size_t i = j + 1; i < size_; ++i) {
          column(k)[i] -= column(j)[i] * column(k)[j];
        }
      }
    }
    // solve() swaps all rows first, so L has to be in the final order.
    for (std::size_t j = from; j < end; ++j) {
      for (std::size_t k = 0; k < from; ++k) {
        std::swap(column(k)[j], column(k)[pivots_[j]]);
      }
    }
  }

  // Swaps the first `known` numbers of two rows of L.
  void swap_known_rows(std::size_t i, std::size_t j, std::size_t known) {
    double* const row = rows_.data() + i * size_;
    if (i != j) {
      std::swap_ranges(row, row + known, rows_.data() + j * size_);
    }
  }

  std::size_t size_;
  std::vector<double> lu_;
  std::vector<double> rows_;         // L, row-major
  std::vector<std::size_t> pivots_;  // row j was swapped with row pivots_[j]
};

}  // namespace

std::vector<double> solve_square(std::vector<double> matrix,
                                 const std::vector<double>& right, Host& host) {
  if (matrix.size() != right.size() * right.size()) {
    throw InvalidArgument("a system of equations has another size than its matrix");
  }
  std::vector<double> solution = right;
  Factors(std::move(matrix), right.size(), host).solve(solution);
  return solution;
}

}  // namespace rankmix::dense
