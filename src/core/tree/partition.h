// The rows of a tree's nodes: one permutation of all rows, in which each node owns a
// range of increasing rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::tree {

class Partition {
 public:
  explicit Partition(std::size_t rows) : scratch_(rows) {}

  // Sets the rows of the root: the listed rows, which must increase, or all rows if none
  // are listed. If none are listed, the first split writes the list of all rows.
  void reset(View<const std::uint32_t> rows);
  // Moves the rows of [begin, end) whose bin of the feature is marked in goes_left to the
  // front. Both sides keep the order of their rows. Returns the position where the right
  // side begins.
  std::size_t split(std::size_t begin, std::size_t end, const data::BinnedMatrix& bins,
                    std::size_t feature, const std::uint8_t goes_left[256], Host& host);

  // Whether the feature is missing in a row of [begin, end). The histogram does not show
  // this if the sums of such rows are 0.
  bool any_missing(std::size_t begin, std::size_t end, const data::BinnedMatrix& bins,
                   std::size_t feature) const;

  View<const std::uint32_t> rows(std::size_t begin, std::size_t end) const {
    return {rows_.data() + begin, end - begin};
  }
  // A buffer with one number per row. The next split overwrites it.
  std::vector<std::uint32_t>& scratch() { return scratch_; }

 private:
  // row_of(i) is the i-th row from `begin` on.
  template <class BinOf, class RowOf>
  std::size_t split_by(std::size_t begin, std::size_t end, const BinOf& bin_of,
                       const RowOf& row_of, const std::uint8_t goes_left[256],
                       Host& host);

  std::vector<std::uint32_t> rows_;  // empty until a tree needs it
  bool lists_root_ = false;  // false: the root has all rows, and rows_ is not written
  std::vector<std::uint32_t> scratch_;
};

}  // namespace rankmix::tree
