#include "core/linear/scaling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/blocks.h"

namespace rankmix::linear {
namespace {

// A column as its values that are stored, and how many zeros are not.
struct Column {
  View<const double> values;
  std::size_t zeros;
};

Column column_of(MatrixView<const double> x, std::size_t j) {
  return {{x.col(j), x.rows()}, 0};
}
Column column_of(const SparseView& x, std::size_t j) {
  return {x.values(j), x.rows() - x.entries(j)};
}

double mean_of(const Column& column, double rows) {
  double sum = 0.0;
  for (double value : column.values) {
    sum += value;
  }
  return sum / rows;
}

double deviation_of(const Column& column, double mean, double rows) {
  double squares = static_cast<double>(column.zeros) * mean * mean;
  for (double value : column.values) {
    squares += (value - mean) * (value - mean);
  }
  return std::sqrt(squares / rows);
}

double largest_of(const Column& column) {
  double largest = 0.0;
  for (double value : column.values) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

template <class Matrix>
Scaling scaling_of(const Matrix& x, ScalingRule rule, Host& host) {
  // Rounding errors of a sum are not taken for a deviation.
  constexpr double nothing = 1e-12;
  Scaling scaling;
  scaling.center.assign(x.cols(), 0.0);
  scaling.factor.assign(x.cols(), 1.0);
  const auto rows = static_cast<double>(x.rows());
  host.parallel_for(rule == ScalingRule::kNone ? 0 : x.cols(), [&](std::size_t j) {
    const Column column = column_of(x, j);
    double unit = largest_of(column);
    if (rule == ScalingRule::kStandard) {
      const double mean = mean_of(column, rows);
      const double deviation = deviation_of(column, mean, rows);
      scaling.center[j] = mean;
      unit = deviation > nothing * unit ? deviation : 0.0;
    }
    scaling.factor[j] = unit > 0.0 ? 1.0 / unit : 0.0;
  });
  return scaling;
}

template <class Matrix>
Ranges ranges_of(const Matrix& x, Host& host) {
  Ranges ranges{std::vector<double>(x.cols(), 0.0), std::vector<double>(x.cols(), 0.0),
                0};
  host.parallel_for(x.cols(), [&](std::size_t j) {
    const Column column = column_of(x, j);
    if (column.values.empty()) {
      return;
    }
    const auto found = std::minmax_element(column.values.begin(), column.values.end());
    const bool zeros = column.zeros > 0;
    ranges.least[j] = zeros ? std::min(0.0, *found.first) : *found.first;
    ranges.most[j] = zeros ? std::max(0.0, *found.second) : *found.second;
  });
  return ranges;
}

}  // namespace

Scaling find_scaling(MatrixView<const double> x, ScalingRule rule, Host& host) {
  return scaling_of(x, rule, host);
}
Scaling find_scaling(const SparseView& x, ScalingRule rule, Host& host) {
  return scaling_of(x, rule, host);
}

Ranges find_ranges(MatrixView<const double> x, Host& host) {
  Ranges ranges = ranges_of(x, host);
  ranges.zero_rows = sum_over_blocks<std::size_t>(
      host, x.rows(), [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint8_t> any(end - begin, 0);
        for (std::size_t j = 0; j < x.cols(); ++j) {
          for (std::size_t i = begin; i < end; ++i) {
            any[i - begin] |= x(i, j) != 0.0 ? 1 : 0;
          }
        }
        return static_cast<std::size_t>(std::count(any.begin(), any.end(), 0));
      });
  return ranges;
}

Ranges find_ranges(const SparseView& x, Host& host) {
  Ranges ranges = ranges_of(x, host);
  std::vector<std::uint8_t> any(x.rows(), 0);
  for (std::size_t j = 0; j < x.cols(); ++j) {
    for (std::size_t e = 0; e < x.entries(j); ++e) {
      if (x.values(j)[e] != 0.0) {
        any[static_cast<std::size_t>(x.row_of(j)[e])] = 1;
      }
    }
  }
  ranges.zero_rows = static_cast<std::size_t>(std::count(any.begin(), any.end(), 0));
  return ranges;
}

}  // namespace rankmix::linear
