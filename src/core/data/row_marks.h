// A hash of the bins of a row. Dense and sparse data with the same bins have the same
// hash, and the hash does not depend on the position of the row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/data/bins.h"

namespace rankmix::data {

// An odd factor for each row or feature. Multiplication by an odd number modulo 2^64 is
// injective, so different numbers stay different.
inline std::uint64_t odd_number(std::size_t i) { return mix_bits(i) | 1U; }

// The hash is the sum over features of (bin - bin of 0) * factor of the feature. Features
// in the bin of 0 add nothing, so sparse tiles need only their entries.
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
  std::vector<std::uint64_t> factors_;  // one for each feature
  std::vector<std::uint64_t> zero_bins_;
  std::vector<std::uint64_t> slot_factors_;  // for sparse tiles: the term of each slot
};

}  // namespace rankmix::data
