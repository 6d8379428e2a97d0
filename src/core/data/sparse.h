// Sparse matrices by rows, as parsers produce them, and conversion to columns, as R
// stores them.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

// Row i has the entries ends[i - 1] .. ends[i] - 1, where ends[-1] counts as 0. Features
// increase within a row.
struct CompressedRows {
  std::vector<double> values;
  std::vector<int> features;  // from 0
  std::vector<std::size_t> ends;

  void append(const CompressedRows& more);
};

// Converts to the column format of SparseView. `starts` has one element for each feature
// and one more; `row_of` and `values` have one element for each entry.
void to_columns(const CompressedRows& rows, View<int> starts, View<int> row_of,
                View<double> values);

}  // namespace rankmix::data
