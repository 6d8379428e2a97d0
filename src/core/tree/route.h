// Trees that read bins: where rows of the training data fall.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// How many rows a split has on its left, and how many lack its feature.
struct SideCounts {
  std::size_t left = 0;
  std::size_t missing = 0;
  SideCounts& operator+=(const SideCounts& other) {
    left += other.left;
    missing += other.missing;
    return *this;
  }
};

class BinTree {
 public:
  // Throws InvalidArgument where the tree splits at what is no threshold of `bins`.
  BinTree(const std::vector<Node>& nodes, const data::BinnedMatrix& bins);
  // The leaf of a row.
  std::uint32_t operator()(std::size_t row) const {
    int at = nodes_.empty() ? -1 : 0;
    while (at >= 0) {
      const BinNode& node = nodes_[static_cast<std::size_t>(at)];
      const int bin = node.bin_of(row);
      const bool left = bin == node.missing ? node.missing_left : bin <= node.last_left;
      at = left ? node.left : node.right;
    }
    return static_cast<std::uint32_t>(~at);
  }

 private:
  struct BinNode {
    data::BinReader bin_of;
    int last_left;  // bins up to it go left
    int missing;    // the bin of missing values, -1 where there is none
    bool missing_left;
    int left;
    int right;
  };
  friend SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                               View<const std::uint32_t> rows, std::size_t count,
                               std::vector<std::uint32_t>& sides, Host& host);
  static BinNode bin_node(const Node& node, const data::BinnedMatrix& bins);

  std::vector<BinNode> nodes_;
};

// Tree t of a forest. Throws as the constructor above.
BinTree bin_tree(const ForestView& forest, std::size_t t, const data::BinnedMatrix& bins);

// Whether rows are on the right of a single split, 1 or 0: sides[i] is that of row
// rows[i], or of row i where no rows are listed, for `count` rows.
SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                      View<const std::uint32_t> rows, std::size_t count,
                      std::vector<std::uint32_t>& sides, Host& host);

}  // namespace rankmix::tree
