#include "core/linear/scaling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/square_unit.h"
#include "core/data/stored_values.h"

namespace rankmix::linear {
namespace {

// The stored values of a column and the number of zeros that are not stored.
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

// Row weights, their sum, and the number of positive weights. Without weights all are 1.
struct RowWeights {
  View<const double> of_rows;
  double total;
  std::size_t positive;

  RowWeights(View<const double> weights, std::size_t rows)
      : of_rows(weights), total(static_cast<double>(rows)), positive(rows) {
    if (!weights.empty()) {
      total = std::accumulate(weights.begin(), weights.end(), 0.0);
      positive = static_cast<std::size_t>(std::count_if(
          weights.begin(), weights.end(), [](double w) { return w > 0.0; }));
    }
  }
  double operator[](std::size_t i) const { return of_rows.empty() ? 1.0 : of_rows[i]; }
};

// Statistics over the rows of positive weight.
struct Summary {
  double mean = 0.0;
  double deviation = 0.0;
  double largest = 0.0;
};

template <class Matrix>
Summary summary_of(const Matrix& x, std::size_t j, const RowWeights& weights) {
  // Smaller deviations, relative to the largest value, are treated as rounding errors.
  constexpr double nothing = 1e-12;
  Summary summary;
  std::size_t count = 0;
  double weight = 0.0;
  double sum = 0.0;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  data::for_each_value(x, j, [&](std::size_t i, double value) {
    if (weights[i] > 0.0) {
      ++count;
      weight += weights[i];
      sum += weights[i] * value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  });
  double zeros = 0.0;
  if (count < weights.positive) {
    zeros = std::max(0.0, weights.total - weight);
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
  }
  summary.largest = std::max(std::abs(least), std::abs(most));
  const double unit = square_unit(summary.largest);
  if (unit != 1.0) {  // the plain sum may have overflowed
    sum = 0.0;
    data::for_each_value(
        x, j, [&](std::size_t i, double value) { sum += weights[i] * (value / unit); });
  }
  const double mean = sum / weights.total;
  double squares = zeros * mean * mean;
  data::for_each_value(x, j, [&](std::size_t i, double value) {
    const double off = value / unit - mean;
    squares += weights[i] * off * off;
  });
  summary.mean = mean * unit;
  const double deviation = std::sqrt(squares / weights.total) * unit;
  // least < most excludes constant features: the sum of many equal numbers can have
  // larger errors.
  if (least < most && deviation > nothing * summary.largest) {
    summary.deviation = deviation;
  }
  return summary;
}

template <class Matrix>
Scaling scaling_of(const Matrix& x, ScalingRule rule, View<const double> weights,
                   Host& host) {
  Scaling scaling;
  scaling.center.assign(x.cols(), 0.0);
  scaling.factor.assign(x.cols(), 1.0);
  const RowWeights counted(weights, x.rows());
  host.parallel_for(rule == ScalingRule::kNone ? 0 : x.cols(), [&](std::size_t j) {
    const Summary summary = summary_of(x, j, counted);
    const bool standard = rule == ScalingRule::kStandard;
    scaling.center[j] = standard ? summary.mean : 0.0;
    scaling.factor[j] = inverse_deviation(standard ? summary.deviation : summary.largest);
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

Scaling find_scaling(MatrixView<const double> x, ScalingRule rule, Host& host,
                     View<const double> weights) {
  return scaling_of(x, rule, weights, host);
}
Scaling find_scaling(const SparseView& x, ScalingRule rule, Host& host,
                     View<const double> weights) {
  return scaling_of(x, rule, weights, host);
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
