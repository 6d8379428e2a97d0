// The nodes of a model tree during training.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"
#include "core/regress/node_search.h"
#include "core/regress/node_sums.h"

namespace rankmix::regress {

// A node of the tree. Children come after their parents.
struct TreeNode {
  std::size_t begin = 0;  // range of its documents in TreeNodes::rows
  std::size_t end = 0;
  NodeSums sums;
  int feature = -1;
  double threshold = 0.0;
  double gain = 0.0;
  int left = -1;  // -1 for a leaf
  int right = -1;
  // The node's linear model. `features` are the features tested in the node or below,
  // sorted.
  std::vector<int> features;
  std::vector<double> weights;
  double intercept = 0.0;
  double squares = 0.0;  // of its model; after pruning, of its subtree
  double size = 1.0;     // number of coefficients of the same model or subtree

  bool is_leaf() const { return left < 0; }
  std::size_t count() const { return end - begin; }
};

struct TreeNodes {
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> rows;
  double deviation = 0.0;  // standard deviation of all targets

  View<const std::uint32_t> rows_of(const TreeNode& node) const {
    return {rows.data() + node.begin, node.count()};
  }
};

TreeNodes grow_nodes(const Documents& documents, NodeSearch& search, double min_split,
                     Host& host);

}  // namespace rankmix::regress
