// The stored values of a column: all values of a dense column, the entries of a sparse
// one.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

// Calls use(row, value) for each stored value of column j.
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

// The columns of a sparse matrix that have entries. The entries are not copied, so `x`
// must outlive this object.
class StoredColumns {
 public:
  explicit StoredColumns(const SparseView& x) : x_(x) {
    starts_.push_back(0);
    for (std::size_t j = 0; j < x.cols(); ++j) {
      if (x.entries(j) > 0) {
        columns_.push_back(j);
        starts_.push_back(starts_.back() + static_cast<int>(x.entries(j)));
      }
    }
  }
  const std::vector<std::size_t>& columns() const { return columns_; }
  SparseView view() const {
    const auto entries = static_cast<std::size_t>(starts_.back());
    return {{x_.values(0).data(), entries},
            {x_.row_of(0).data(), entries},
            starts_,
            x_.rows()};
  }

 private:
  SparseView x_;
  std::vector<std::size_t> columns_;
  std::vector<int> starts_;
};

}  // namespace rankmix::data
