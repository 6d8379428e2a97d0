// Copies of blocks of rows that have only the features that a forest uses.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::explain {

struct UsedFeatures {
  std::vector<std::size_t> columns;  // indices of the used features
  std::vector<int> number;           // index of each feature in `columns`, or -1

  UsedFeatures(const tree::ForestView& forest, std::size_t features)
      : number(features, -1) {
    for (int feature : forest.feature) {
      number[static_cast<std::size_t>(feature)] = 0;
    }
    for (std::size_t f = 0; f < features; ++f) {
      if (number[f] == 0) {
        number[f] = static_cast<int>(columns.size());
        columns.push_back(f);
      }
    }
  }
};

class UsedRows {
 public:
  UsedRows(MatrixView<const double> x, const UsedFeatures& used, std::size_t begin,
           std::size_t end)
      : count_(end - begin), features_(used.columns.size()), values_(count_ * features_) {
    for (std::size_t f = 0; f < features_; ++f) {
      const double* column = x.col(used.columns[f]) + begin;
      for (std::size_t i = 0; i < count_; ++i) {
        values_[i * features_ + f] = column[i];
      }
    }
  }

  std::size_t count() const { return count_; }
  std::size_t features() const { return features_; }
  const double* row(std::size_t i) const { return values_.data() + i * features_; }

 private:
  std::size_t count_;
  std::size_t features_;
  std::vector<double> values_;
};

// Calls work(begin, end) for blocks of rows. Checks for an interrupt after each `batch`
// blocks.
inline void for_row_blocks(std::size_t rows, std::size_t block, std::size_t batch,
                           Host& host,
                           const FunctionRef<void(std::size_t, std::size_t)>& work) {
  const std::size_t blocks = (rows + block - 1) / block;
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t i) {
      const std::size_t begin = (first + i) * block;
      work(begin, std::min(rows, begin + block));
    });
  }
}

}  // namespace rankmix::explain
