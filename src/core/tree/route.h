// Trees that compare bins, for rows of the training data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/split.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// Number of rows on the left of a split, and number of rows whose feature is missing.
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
  // Throws InvalidArgument if a threshold of the tree is not a threshold of `bins`.
  BinTree(const std::vector<Node>& nodes, const data::BinnedMatrix& bins);
  // The leaf of a row.
  std::uint32_t operator()(std::size_t row) const {
    int at = nodes_.empty() ? -1 : 0;
    while (at >= 0) {
      const BinNode& node = nodes_[static_cast<std::size_t>(at)];
      const int bin = node.bin_of(row);
      const bool left = bin == node.missing   ? node.missing_left
                        : node.levels.empty() ? bin <= node.last_left
                                              : node.levels.has(bin);
      at = left ? node.left : node.right;
    }
    return static_cast<std::uint32_t>(~at);
  }
  // Sets leaf_of_row[row] for each of these rows.
  void find_leaves(View<const std::uint32_t> rows,
                   std::vector<std::uint32_t>& leaf_of_row) const;

 private:
  struct BinNode {
    data::BinReader bin_of;
    int last_left;  // bins up to it go left
    int missing;    // the bin of missing values, -1 if there is no such bin
    bool missing_left;
    int left;
    int right;
    BinSet levels;  // if not empty, its bins go left
  };
  // The same node for dense tiles, which is evaluated without a branch. Leaves are stored
  // after all nodes, and both children of a leaf are the leaf itself.
  struct DenseNode {
    const std::uint8_t* bins;  // bins of the feature, at row 0
    std::uint32_t width;       // distance to the next row; 0 for a leaf
    std::int16_t last_left;
    std::int16_t missing_left;  // the bin of missing values if they go left, else -1
    std::uint32_t child[2];     // right, left

    std::uint32_t next(std::size_t row) const {
      const int bin = bins[row * width];
      return child[static_cast<int>(bin <= last_left) |
                   static_cast<int>(bin == missing_left)];
    }
  };
  friend SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                               View<const std::uint32_t> rows, std::size_t count,
                               std::vector<std::uint32_t>& sides, Host& host);
  static BinNode bin_node(const Node& node, const data::BinnedMatrix& bins);
  void lay_dense_nodes();
  template <std::size_t Rows>
  void find_some(const std::uint32_t* rows, std::uint32_t* leaf_of_row) const;

  std::vector<BinNode> nodes_;
  std::vector<DenseNode> dense_;  // empty if any tile is sparse, or any node has levels
};

// Tree t of a forest. Throws like the constructor.
BinTree bin_tree(const ForestView& forest, std::size_t t, const data::BinnedMatrix& bins);

// Finds the side of each row for a single split: sides[i] is 1 if row rows[i], or row i
// if no rows are listed, goes right, else 0. There are `count` rows.
SideCounts find_sides(const Node& node, const data::BinnedMatrix& bins,
                      View<const std::uint32_t> rows, std::size_t count,
                      std::vector<std::uint32_t>& sides, Host& host);

}  // namespace rankmix::tree
