// An order of the rows in which rows of the same node are close together.
//
// Trees often split on the same features, so documents in the same leaves of some trees
// are often in the same nodes of later trees, too. If such rows are neighbours, the bins
// of a node are read in contiguous runs. The order changes neither sums nor trees.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"
#include "core/tree/grow.h"
#include "core/tree/leaf_ids.h"

namespace rankmix::boost {

class RowOrder {
 public:
  // Number of trees that determine the order. With more trees, few documents would be in
  // the same leaves of all trees, and reordering would start later.
  static constexpr std::size_t kTrees = 3;

  explicit RowOrder(std::size_t rows);
  // Sorts the rows by the leaves of this tree, and within a leaf by the leaves of earlier
  // trees. `leaf_ids` has the leaf of each row.
  void follow(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids);
  // Sorts the rows by these keys, one for each row. Rows with equal keys keep their
  // order.
  void sort_by(View<const std::uint8_t> keys);
  bool is_ready() const { return trees_ == kTrees; }
  // rows()[i] is the row that should move to position i.
  View<const std::uint32_t> rows() const { return {rows_.data(), rows_.size()}; }

 private:
  std::size_t trees_ = 0;
  std::vector<std::uint32_t> rows_;
};

}  // namespace rankmix::boost
