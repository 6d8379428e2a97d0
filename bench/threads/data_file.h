// Reads the data that bench/simulate.R writes by write_bin().
//
// Format: int32 rows, columns and queries; the columns as float32, one after the other;
// the grades as float32; the number of documents of each query as int32. Little endian.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/views.h"
#include "core/data/queries.h"

namespace replay {

struct DataSet {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> x;  // column by column, as in R
  std::vector<int> grades;
  std::vector<double> targets;  // the grades
  std::vector<int> order;
  std::vector<int> offsets{0};

  rankmix::MatrixView<const double> matrix() const { return {x.data(), rows, columns}; }
  rankmix::data::Queries queries() const { return {order, offsets}; }
};

// Throws std::runtime_error if the file is too short.
DataSet read_data(const std::string& path);

}  // namespace replay
