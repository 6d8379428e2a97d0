// The values of a column that are stored: all of a dense one; of a sparse one those that
// have an entry.
#pragma once
#include <cstddef>

#include "core/base/views.h"

namespace rankmix::data {

// Calls use(row, value).
template <class Use>
void for_each_value(MatrixView<const double> x, std::size_t j, const Use& use) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    use(i, x(i, j));
  }
}
template <class Use>
void for_each_value(const SparseView& x, std::size_t j, const Use& use) {
  for (std::size_t e = 0; e < x.entries(j); ++e) {
    use(static_cast<std::size_t>(x.row_of(j)[e]), x.values(j)[e]);
  }
}

}  // namespace rankmix::data
