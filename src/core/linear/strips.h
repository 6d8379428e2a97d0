// Products of a strip of rows: the loops in which linear models spend their time.
#pragma once
#include <cstddef>

namespace rankmix::linear {

// A strip has a multiple of so many rows.
constexpr std::size_t kStripLanes = 16;

// Columns of some rows.
struct Strip {
  const double* x;
  std::size_t stride;  // to the next column
  std::size_t columns;
  std::size_t rows;
};

// products[k][r] += sum_j x[j][r] weights[j][k], two columns at a time.
void multiply_strip(const Strip& strip, const double* weights, std::size_t classes,
                    double* products);

// sums[j][k] += sum_r x[j][r] values[k][r], in kStripLanes sums side by side.
void add_strip(const Strip& strip, const double* values, std::size_t classes,
               double* sums);

}  // namespace rankmix::linear
