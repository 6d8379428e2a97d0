// The values of a column of a table on disk, for passes that count them.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/column_store.h"

namespace rankmix::data {

// The number of columns that are visited between two checkpoints. Together they have at
// most this many values, so that a visit takes less than a second.
inline std::size_t columns_at_once(const ColumnStore& store) {
  constexpr std::size_t values = std::size_t{1} << 24;
  return std::max<std::size_t>(2, values / std::max<std::size_t>(1, store.rows()));
}

// Calls use(value, count) for the values of a column that are not missing and have a
// positive count. Equal values may come several times.
template <class Use>
void visit_column(const ColumnStore& store, std::size_t column,
                  const std::vector<std::uint64_t>& counts, StoredBlock& block,
                  const Use& use) {
  for (std::size_t b = 0; b < store.blocks(); ++b) {
    store.read(b, column, block);
    auto count_of = [&](std::size_t i) {
      return counts.empty() ? std::uint64_t{1} : counts[store.first_row(b) + i];
    };
    auto visit = [&](double value, std::uint64_t count) {
      if (count > 0 && !std::isnan(value)) {
        use(value, count);
      }
    };
    if (!block.has_codes()) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        visit(block.values[i], count_of(i));
      }
      continue;
    }
    std::array<std::uint64_t, 256> of_code{};
    for (std::size_t i = 0; i < block.rows; ++i) {
      of_code[block.codes[i]] += count_of(i);
    }
    for (std::size_t code = 0; code < block.dictionary.size(); ++code) {
      visit(block.dictionary[code], of_code[code]);
    }
  }
}

// Collects distinct values in increasing order, as long as there are few.
class FewValues {
 public:
  explicit FewValues(std::size_t limit) : limit_(limit) {}
  void add(double x) {
    if (!are_few_) {
      return;
    }
    const auto at = std::lower_bound(values_.begin(), values_.end(), x);
    if (at == values_.end() || *at != x) {
      are_few_ = values_.size() < limit_;
      values_.insert(at, x);
    }
  }
  bool are_few() const { return are_few_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t limit_;
  bool are_few_ = true;
  std::vector<double> values_;
};

}  // namespace rankmix::data
