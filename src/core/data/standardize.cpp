#include "core/data/standardize.h"

#include <cmath>

#include "core/base/square_unit.h"

namespace rankmix::data {
namespace {

// Mean and standard deviation of value / scale. Some data mark missing values by the
// largest double. The deviation is 0 if all known values are equal.
struct Moments {
  double scale = 1.0;
  double mean = 0.0;
  double deviation = 0.0;
};

double largest_of(const double* column, View<const int> rows) {
  double largest = 0.0;
  for (int row : rows) {
    const double magnitude = std::abs(column[row]);
    largest = magnitude > largest ? magnitude : largest;  // false for NaN
  }
  return largest;
}

Moments moments_of(const double* column, View<const int> rows) {
  const double scale = square_unit(largest_of(column, rows));
  double count = 0.0;
  double sum = 0.0;
  double first = 0.0;
  bool constant = true;
  for (int row : rows) {
    const double value = column[row] / scale;
    if (std::isnan(value)) {
      continue;
    }
    first = count == 0.0 ? value : first;
    constant = constant && value == first;
    count += 1.0;
    sum += value;
  }
  if (constant) {
    return {scale, first, 0.0};
  }
  const double mean = sum / count;
  double squares = 0.0;
  for (int row : rows) {
    const double value = column[row] / scale;
    if (!std::isnan(value)) {
      squares += (value - mean) * (value - mean);
    }
  }
  return {scale, mean, std::sqrt(squares / (count - 1.0))};
}

}  // namespace

void standardize(MatrixView<const double> x, const Queries& queries, Host& host,
                 MatrixView<double> out) {
  host.parallel_for(x.cols(), [&](std::size_t f) {
    const double* column = x.col(f);
    double* result = out.col(f);
    for (std::size_t q = 0; q < queries.count(); ++q) {
      const View<const int> rows = queries.rows_of(q);
      const Moments moments = moments_of(column, rows);
      for (int row : rows) {
        const double centred = column[row] / moments.scale - moments.mean;
        // A constant minus its mean is 0, and a missing value stays NaN.
        result[row] = moments.deviation > 0.0 ? centred / moments.deviation : centred;
      }
    }
  });
}

}  // namespace rankmix::data
