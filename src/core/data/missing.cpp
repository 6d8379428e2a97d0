#include "core/data/missing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/serial_host.h"
#include "core/data/stored_values.h"

namespace rankmix::data {
namespace {

// The weights of the rows; without weights all are 1. Whole weights act as counts: the
// sums have the same bits as for a data set with that many copies of each row.
struct RowWeights {
  View<const double> of_rows;
  double total;
  std::size_t positive;
  bool whole = true;

  RowWeights(View<const double> weights, std::size_t rows)
      : of_rows(weights), total(static_cast<double>(rows)), positive(rows) {
    if (!weights.empty()) {
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
      whole = sum < max_count && std::all_of(weights.begin(), weights.end(),
                                             [](double w) { return w == std::floor(w); });
      total = whole ? sum : sum_exactly(weights);
      positive = static_cast<std::size_t>(std::count_if(
          weights.begin(), weights.end(), [](double w) { return w > 0.0; }));
    }
  }
  double operator[](std::size_t i) const { return of_rows.empty() ? 1.0 : of_rows[i]; }

  // Sums of whole numbers below this limit are exact, and their terms fit into
  // fixed-point numbers.
  static constexpr double max_count = 16777216.0;
};

struct KnownColumn {
  double mean = 0.0;
  double missing = 0.0;
};

// The sum of weight * value / divisor over known values. Zeros are skipped, so that
// stored and implicit zeros give the same sum.
template <class Matrix>
double weighted_sum(const Matrix& x, std::size_t j, const RowWeights& weights,
                    double divisor) {
  std::vector<double> terms;
  std::vector<double> term_weights;
  for_each_value(x, j, [&](std::size_t i, double value) {
    if (weights[i] > 0.0 && value != 0.0 && !std::isnan(value)) {
      terms.push_back(weights.whole ? value / divisor : weights[i] / divisor * value);
      term_weights.push_back(weights[i]);
    }
  });
  if (!weights.whole) {
    return sum_exactly(View<const double>(terms));
  }
  SerialHost host;
  return sum_counted_exactly(
      host, terms.size(), std::accumulate(term_weights.begin(), term_weights.end(), 0.0),
      [&](std::size_t i) { return terms[i]; },
      [&](std::size_t i) { return static_cast<std::int64_t>(term_weights[i]); });
}

template <class Matrix>
KnownColumn known_column(const Matrix& x, std::size_t j, const RowWeights& weights) {
  KnownColumn known;
  std::vector<double> lost;
  std::size_t others = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for_each_value(x, j, [&](std::size_t i, double value) {
    if (weights[i] == 0.0) {
      return;
    }
    if (std::isnan(value)) {
      lost.push_back(weights[i]);
      return;
    }
    others += value != 0.0 ? 1 : 0;
    least = std::min(least, value);
    most = std::max(most, value);
  });
  known.missing = static_cast<double>(lost.size());
  if (others == 0) {
    return known;
  }
  if (others + lost.size() < weights.positive) {
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
  }
  const double left =
      weights.total - (weights.whole ? std::accumulate(lost.begin(), lost.end(), 0.0)
                                     : sum_exactly(View<const double>(lost)));
  const double mean = weighted_sum(x, j, weights, 1.0) / left;
  // The plain sum may overflow even if the sum of fractions does not. The clamp keeps the
  // mean of a constant feature equal to its value in spite of rounding.
  known.mean = std::clamp(std::isfinite(mean) ? mean : weighted_sum(x, j, weights, left),
                          least, most);
  return known;
}

template <class Matrix>
KnownValues known_values_of(const Matrix& x, View<const double> weights, Host& host) {
  if (!weights.empty() && weights.size() != x.rows()) {
    throw InvalidArgument("weights and rows do not fit together");
  }
  const RowWeights counted(weights, x.rows());
  std::vector<KnownColumn> columns(x.cols());
  host.parallel_for(x.cols(),
                    [&](std::size_t j) { columns[j] = known_column(x, j, counted); });
  KnownValues known;
  for (const KnownColumn& column : columns) {
    known.mean.push_back(column.mean);
    known.missing.push_back(column.missing);
  }
  return known;
}

}  // namespace

KnownValues known_values(MatrixView<const double> x, View<const double> weights,
                         Host& host) {
  return known_values_of(x, weights, host);
}
KnownValues known_values(const SparseView& x, View<const double> weights, Host& host) {
  return known_values_of(x, weights, host);
}

void fill_missing(MatrixView<const double> x, std::size_t first,
                  View<const double> numbers, View<const int> marked, Host& host,
                  MatrixView<double> out) {
  if (numbers.size() != x.cols() || first + out.rows() > x.rows() ||
      out.cols() != x.cols() + marked.size()) {
    throw InvalidArgument("numbers, marks and features do not fit together");
  }
  host.parallel_for(out.cols(), [&](std::size_t j) {
    double* to = out.col(j);
    if (j < x.cols()) {
      const double number = numbers[j];
      const double* from = x.col(j) + first;
      std::transform(from, from + out.rows(), to,
                     [&](double value) { return std::isnan(value) ? number : value; });
      return;
    }
    const double* from = x.col(static_cast<std::size_t>(marked[j - x.cols()])) + first;
    std::transform(from, from + out.rows(), to,
                   [](double value) { return std::isnan(value) ? 1.0 : 0.0; });
  });
}

}  // namespace rankmix::data
