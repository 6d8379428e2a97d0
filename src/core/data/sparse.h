// Sparse matrices as they are read, row after row, and as R stores them, column after
// column.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

// Row i has the entries ends[i - 1] (0 for the first) .. ends[i] - 1, features
// increasing.
struct CompressedRows {
  std::vector<double> values;
  std::vector<int> features;  // from 0
  std::vector<std::size_t> ends;

  void append(const CompressedRows& more);
};

// The same entries column after column, as in SparseView: `starts` has one number more
// than there are features, the others one an entry.
void to_columns(const CompressedRows& rows, View<int> starts, View<int> row_of,
                View<double> values);

}  // namespace rankmix::data
