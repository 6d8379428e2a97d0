// Sums of real numbers that do not depend on the order of the rows. With several ranks,
// sums cover the rows of all ranks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix {

// The sum of count(i) * value(i) over `rows` rows of this rank and the rows of the other
// ranks. `all` is the sum of all counts, of all ranks. The sum is computed in fixed point;
// its unit is 2^-62 * `all` * (the largest |value(i)|).
template <class Value, class Count>
double sum_counted_exactly(Host& host, std::size_t rows, double all, const Value& value,
                           const Count& count) {
  std::vector<double> largest(block_count(rows), 0.0);
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     if (count(i) > 0) {
                       largest[block] = std::max(largest[block], std::abs(value(i)));
                     }
                   }
                 });
  const double most = host.reducer().max_of(
      largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end()));
  if (most == 0.0) {
    return 0.0;
  }
  const double unit = most * all;
  const std::int64_t sum =
      sum_over_blocks<std::int64_t>(host, rows, [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t i = begin; i < end; ++i) {
          part += count(i) * to_fixed(value(i) / unit);
        }
        return part;
      });
  return from_fixed(host.reducer().sum_of(sum)) * unit;
}
template <class Value>
double sum_exactly(Host& host, std::size_t rows, const Value& value) {
  const double all = host.reducer().sum_of(static_cast<double>(rows));
  return sum_counted_exactly(host, rows, all, value,
                             [](std::size_t) { return std::int64_t{1}; });
}

// The sum of value(i) over `rows` rows of this rank and the rows of the other ranks.
// Here only the result is rounded, because each number is split into two parts of 62
// bits. With an infinite number, the result is the plain sum.
template <class Value>
double sum_finely(Host& host, std::size_t rows, const Value& value) {
  double most = 0.0;
  double all[2] = {0.0, static_cast<double>(rows)};  // plain sum, count
  for (std::size_t i = 0; i < rows; ++i) {
    most = std::max(most, std::abs(value(i)));
    all[0] += value(i);
  }
  most = host.reducer().max_of(most);
  host.reducer().add(View<double>(all, 2));
  if (most == 0.0 || !std::isfinite(most)) {
    return all[0];
  }
  // A power of 2 above the sum of the magnitudes, so that scaling is exact.
  const double terms = std::exp2(std::ilogb(all[1]) + 1);
  const double unit = std::exp2(std::ilogb(most) + 1) * terms;
  std::int64_t sums[2] = {0, 0};
  for (std::size_t i = 0; i < rows; ++i) {
    const double scaled = value(i) / unit * kFixedUnits;
    const double whole = std::trunc(scaled);
    sums[0] += static_cast<std::int64_t>(whole);
    sums[1] += to_fixed((scaled - whole) / terms);
  }
  host.reducer().add(View<std::int64_t>(sums, 2));
  const double rest = from_fixed(sums[1]) * terms;
  return (static_cast<double>(sums[0]) + rest) / kFixedUnits * unit;
}

// The exact sum of a few numbers of this rank, or of all ranks of the reducer, computed on
// the calling thread. If the exact sum would overflow, the result is the plain sum.
inline double sum_exactly(View<const double> values, Reducer& reducer = single_rank()) {
  double most = 0.0;
  double all[2] = {0.0, static_cast<double>(values.size())};  // plain sum, count
  for (double value : values) {
    most = std::max(most, std::abs(value));
    all[0] += value;
  }
  most = reducer.max_of(most);
  reducer.add(View<double>(all, 2));
  const double unit = most * all[1];
  if (unit == 0.0 || !std::isfinite(unit) || std::isnan(all[0])) {
    return all[0];
  }
  std::int64_t sum = 0;
  for (double value : values) {
    sum += to_fixed(value / unit);
  }
  return from_fixed(reducer.sum_of(sum)) * unit;
}

}  // namespace rankmix
