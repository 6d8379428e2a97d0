#include "core/data/scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankmix::data {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct ColumnScan {
  std::size_t first_infinite;
  std::size_t missing;
  bool constant;
};

// Scans the stored values of a column. `seen` is true if the column also has implicit
// zeros, which are then the first value.
ColumnScan scan_values(View<const double> column, bool seen) {
  ColumnScan scan{kNone, 0, true};
  double first = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double value = column[i];
    if (std::isnan(value)) {
      ++scan.missing;
      continue;
    }
    if (std::isinf(value) && scan.first_infinite == kNone) {
      scan.first_infinite = i;
    }
    if (!seen) {
      first = value;
      seen = true;
    }
    scan.constant = scan.constant && value == first;
  }
  return scan;
}

ColumnScan scan_column(MatrixView<const double> x, std::size_t f) {
  return scan_values({x.col(f), x.rows()}, false);
}

ColumnScan scan_column(const SparseView& x, std::size_t f) {
  ColumnScan scan = scan_values(x.values(f), x.entries(f) < x.rows());
  if (scan.first_infinite != kNone) {
    scan.first_infinite = static_cast<std::size_t>(x.row_of(f)[scan.first_infinite]);
  }
  return scan;
}

template <class Matrix>
FeatureScan scan_matrix(const Matrix& x, Host& host) {
  std::vector<ColumnScan> columns(x.cols());
  host.parallel_for(x.cols(), [&](std::size_t f) { columns[f] = scan_column(x, f); });
  FeatureScan scan;
  for (std::size_t f = 0; f < x.cols(); ++f) {
    scan.constant.push_back(columns[f].constant ? 1 : 0);
    scan.missing.push_back(static_cast<double>(columns[f].missing));
    if (!scan.has_infinite && columns[f].first_infinite != kNone) {
      scan.has_infinite = true;
      scan.infinite_row = columns[f].first_infinite;
      scan.infinite_col = f;
    }
  }
  return scan;
}

std::size_t first_infinite(View<const double> values) {
  const double* found =
      std::find_if(values.begin(), values.end(), [](double x) { return std::isinf(x); });
  return found == values.end() ? kNone : static_cast<std::size_t>(found - values.begin());
}

std::size_t first_infinite(MatrixView<const double> x, std::size_t f) {
  return first_infinite({x.col(f), x.rows()});
}

std::size_t first_infinite(const SparseView& x, std::size_t f) {
  const std::size_t entry = first_infinite(x.values(f));
  return entry == kNone ? kNone : static_cast<std::size_t>(x.row_of(f)[entry]);
}

template <class Matrix>
FeatureScan find_infinite_in(const Matrix& x, Host& host) {
  std::vector<std::size_t> rows(x.cols());
  host.parallel_for(x.cols(), [&](std::size_t f) { rows[f] = first_infinite(x, f); });
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [](std::size_t row) { return row != kNone; });
  FeatureScan scan;
  if (found != rows.end()) {
    scan.has_infinite = true;
    scan.infinite_row = *found;
    scan.infinite_col = static_cast<std::size_t>(found - rows.begin());
  }
  return scan;
}

}  // namespace

FeatureScan scan_features(MatrixView<const double> x, Host& host) {
  return scan_matrix(x, host);
}

FeatureScan scan_features(const SparseView& x, Host& host) {
  return scan_matrix(x, host);
}

FeatureScan find_infinite(MatrixView<const double> x, Host& host) {
  return find_infinite_in(x, host);
}

FeatureScan find_infinite(const SparseView& x, Host& host) {
  return find_infinite_in(x, host);
}

}  // namespace rankmix::data
