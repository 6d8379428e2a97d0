// Products of a strip of rows: the inner loops of linear models.
#pragma once
#include <cstddef>

namespace rankmix::linear {

// The number of rows of a strip is a multiple of this.
constexpr std::size_t kStripLanes = 16;

// The columns of some consecutive rows.
struct Strip {
  const double* x;
  std::size_t stride;  // from one column to the next
  std::size_t columns;
  std::size_t rows;
};

// products[k][r] += sum_j x[j][r] weights[j][k], with two columns at a time.
void multiply_strip(const Strip& strip, const double* weights, std::size_t classes,
                    double* products);

// sums[j][k] += sum_r x[j][r] values[k][r], in kStripLanes separate sums.
void add_strip(const Strip& strip, const double* values, std::size_t classes,
               double* sums);

}  // namespace rankmix::linear
