// Numbers that identify rows by their bins: the same for dense and for sparse data, and
// wherever a row stands.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/data/bins.h"

namespace rankmix::data {

// An odd number for each row or feature: times one, what differs stays different.
inline std::uint64_t odd_number(std::size_t i) { return mix_bits(i) | 1U; }

// The sum over features of (bin - bin of 0) times the feature's number: sparse tiles list
// only those that are not 0.
class RowMarks {
 public:
  explicit RowMarks(const BinnedMatrix& bins);

  std::uint64_t operator()(std::size_t row) const {
    std::uint64_t mark = 0;
    for (const Tile& tile : bins_.tiles()) {
      mark += tile.is_sparse() ? of_entries(tile, row) : of_bins(tile, row);
    }
    return mark;
  }

 private:
  std::uint64_t of_bins(const Tile& tile, std::size_t row) const;
  std::uint64_t of_entries(const Tile& tile, std::size_t row) const;

  const BinnedMatrix& bins_;
  std::vector<std::uint64_t> factors_;  // of features
  std::vector<std::uint64_t> zero_bins_;
  std::vector<std::uint64_t> slot_factors_;  // what a slot adds, for entries
};

}  // namespace rankmix::data
