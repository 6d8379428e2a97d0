#include "core/data/scan.h"

#include <cmath>

namespace rankmix::data {
namespace {

struct ColumnScan {
  std::size_t first_infinite;  // the number of rows where there is none
  std::size_t missing;
  bool constant;
};

ColumnScan scan_column(View<const double> column) {
  ColumnScan scan{column.size(), 0, true};
  bool seen = false;
  double first = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double value = column[i];
    if (std::isnan(value)) {
      ++scan.missing;
      continue;
    }
    if (std::isinf(value) && scan.first_infinite == column.size()) {
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

}  // namespace

FeatureScan scan_features(MatrixView<const double> x, Host& host) {
  std::vector<ColumnScan> columns(x.cols());
  host.parallel_for(x.cols(), [&](std::size_t f) {
    columns[f] = scan_column({x.col(f), x.rows()});
  });
  FeatureScan scan;
  for (std::size_t f = 0; f < x.cols(); ++f) {
    scan.constant.push_back(columns[f].constant ? 1 : 0);
    scan.missing.push_back(static_cast<double>(columns[f].missing));
    if (!scan.has_infinite && columns[f].first_infinite < x.rows()) {
      scan.has_infinite = true;
      scan.infinite_row = columns[f].first_infinite;
      scan.infinite_col = f;
    }
  }
  return scan;
}

}  // namespace rankmix::data
