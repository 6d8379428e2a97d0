// An order of the rows in which those of a node lie near to each other.
//
// Trees ask for the same features again and again, so that documents that some trees have
// sent to the same leaves are often together in the nodes of later ones, too. Where they
// are neighbours, the bins of a node are read in runs, and not here and there in all of
// memory. It changes no sum and no tree.
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
  // Of so many trees: one more leaves a few documents together, and another to wait for.
  static constexpr std::size_t kTrees = 3;

  explicit RowOrder(std::size_t rows);
  // Orders by the leaves of this tree, then by those of the trees before. `leaf_ids` has
  // the leaf of each row.
  void follow(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids);
  bool is_ready() const { return trees_ == kTrees; }
  // Row i is to be what this has at i.
  View<const std::uint32_t> rows() const { return {rows_.data(), rows_.size()}; }

 private:
  std::size_t trees_ = 0;
  std::vector<std::uint32_t> rows_;
};

}  // namespace rankmix::boost
