#include "core/data/sparse.h"

#include <algorithm>
#include <numeric>

namespace rankmix::data {

void CompressedRows::append(const CompressedRows& more) {
  const std::size_t before = values.size();
  values.insert(values.end(), more.values.begin(), more.values.end());
  features.insert(features.end(), more.features.begin(), more.features.end());
  for (std::size_t end : more.ends) {
    ends.push_back(before + end);
  }
}

void to_columns(const CompressedRows& rows, View<int> starts, View<int> row_of,
                View<double> values) {
  std::fill(starts.begin(), starts.end(), 0);
  for (int feature : rows.features) {
    ++starts[static_cast<std::size_t>(feature) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  // The position of the next entry of each column.
  std::vector<int> next(starts.begin(), starts.end() - 1);
  std::size_t entry = 0;
  for (std::size_t i = 0; i < rows.ends.size(); ++i) {
    for (; entry < rows.ends[i]; ++entry) {
      const auto at = static_cast<std::size_t>(
          next[static_cast<std::size_t>(rows.features[entry])]++);
      row_of[at] = static_cast<int>(i);
      values[at] = rows.values[entry];
    }
  }
}

}  // namespace rankmix::data
