// A forest of trees in flat arrays. Training appends trees, and prediction reads them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::tree {

// A row goes left if x <= threshold. If x is missing, the row goes to the side that
// `missing_left` specifies. A child index >= 0 is a node of the same tree. A child index
// c < 0 is the leaf ~c of the same tree.
//
// The values of a feature may be the level numbers of a factor. If a node has `levels`, a
// row goes left if x is one of them. Other levels and missing values go right.
struct Node {
  int feature;
  double threshold;
  bool missing_left;
  int left;
  int right;
  std::vector<int> levels = {};  // increasing
};

// Many trees, stored one after the other. Tree t has the nodes node_begin[t] ..
// node_begin[t + 1] - 1 and the leaves leaf_begin[t] .. leaf_begin[t + 1] - 1. Each leaf
// has `outputs` values. A tree without nodes is a single leaf. Round r has the trees
// round_begin[r] .. round_begin[r + 1] - 1. The value of a round is the product of the
// values of its trees.
struct Forest {
  std::size_t outputs = 0;
  std::vector<int> round_begin{0};
  std::vector<int> node_begin{0};
  std::vector<int> leaf_begin{0};
  std::vector<int> feature;  // index, from 0
  std::vector<double> threshold;
  std::vector<int> missing_left;
  std::vector<int> left;
  std::vector<int> right;
  std::vector<double> values;  // leaves x outputs, row-major
  std::vector<double> gains;   // split gain of each node, in units of the split score
  // Number of training documents with positive weight that reach each node and each leaf.
  // Empty for models of earlier versions, which did not count documents.
  std::vector<int> node_documents;
  std::vector<int> leaf_documents;
  // Node n has the levels set_levels[set_begin[n]] .. set_levels[set_begin[n + 1] - 1].
  // Both are empty if no node has levels.
  std::vector<int> set_begin;
  std::vector<int> set_levels;
};

struct ForestView {
  std::size_t outputs = 0;
  View<const int> round_begin;
  View<const int> node_begin;
  View<const int> leaf_begin;
  View<const int> feature;
  View<const double> threshold;
  View<const int> missing_left;
  View<const int> left;
  View<const int> right;
  View<const double> values;
  View<const int> set_begin;
  View<const int> set_levels;

  bool has_sets() const { return !set_levels.empty(); }
  // The levels of a node, if it has any.
  View<const int> levels(std::size_t node) const {
    if (!has_sets()) {
      return {};
    }
    const auto begin = static_cast<std::size_t>(set_begin[node]);
    return {set_levels.data() + begin,
            static_cast<std::size_t>(set_begin[node + 1]) - begin};
  }
  std::size_t trees() const { return node_begin.size() - 1; }
  std::size_t rounds() const { return round_begin.size() - 1; }
};

// Appends the document counts of tree t, the first tree that has none. `of_leaves` has
// the counts of its leaves. The count of a node is the sum of its children's counts.
// Children come after their parent, so the loop runs backward.
inline void append_documents(const std::vector<int>& of_leaves, std::size_t t,
                             Forest& forest) {
  const auto begin = static_cast<std::size_t>(forest.node_begin[t]);
  const auto end = static_cast<std::size_t>(forest.node_begin[t + 1]);
  forest.node_documents.resize(end);
  auto documents_of = [&](int child) {
    const int leaf = ~child;
    return child >= 0 ? forest.node_documents[begin + static_cast<std::size_t>(child)]
                      : of_leaves[static_cast<std::size_t>(leaf)];
  };
  for (std::size_t node = end; node-- > begin;) {
    forest.node_documents[node] =
        documents_of(forest.left[node]) + documents_of(forest.right[node]);
  }
  forest.leaf_documents.insert(forest.leaf_documents.end(), of_leaves.begin(),
                               of_leaves.end());
}

// Appends the levels of the last nodes of the forest, which are `nodes`.
inline void append_levels(const std::vector<Node>& nodes, Forest& forest) {
  const bool any = std::any_of(nodes.begin(), nodes.end(),
                               [](const Node& node) { return !node.levels.empty(); });
  if (!any && forest.set_begin.empty()) {
    return;
  }
  if (forest.set_begin.empty()) {
    forest.set_begin.assign(forest.feature.size() - nodes.size() + 1, 0);
  }
  for (const Node& node : nodes) {
    forest.set_levels.insert(forest.set_levels.end(), node.levels.begin(),
                             node.levels.end());
    forest.set_begin.push_back(static_cast<int>(forest.set_levels.size()));
  }
}

// Appends a tree. `gains` are in units of `gain_unit`, and `leaf_documents` has the
// document counts of the leaves. The tree belongs to the current round, which end_round()
// closes.
inline void append_tree(const std::vector<Node>& nodes, const std::vector<double>& gains,
                        double gain_unit, const std::vector<double>& values,
                        const std::vector<int>& leaf_documents, Forest& forest) {
  for (const Node& node : nodes) {
    forest.feature.push_back(node.feature);
    forest.threshold.push_back(node.threshold);
    forest.missing_left.push_back(node.missing_left ? 1 : 0);
    forest.left.push_back(node.left);
    forest.right.push_back(node.right);
  }
  append_levels(nodes, forest);
  for (double gain : gains) {
    forest.gains.push_back(gain * gain_unit);
  }
  forest.values.insert(forest.values.end(), values.begin(), values.end());
  forest.node_begin.push_back(static_cast<int>(forest.feature.size()));
  forest.leaf_begin.push_back(static_cast<int>(forest.values.size() / forest.outputs));
  append_documents(leaf_documents, forest.node_begin.size() - 2, forest);
}

inline void end_round(Forest& forest) {
  forest.round_begin.push_back(static_cast<int>(forest.node_begin.size()) - 1);
}

inline ForestView view_of(const Forest& forest) {
  ForestView view;
  view.outputs = forest.outputs;
  view.round_begin = forest.round_begin;
  view.node_begin = forest.node_begin;
  view.leaf_begin = forest.leaf_begin;
  view.feature = forest.feature;
  view.threshold = forest.threshold;
  view.missing_left = forest.missing_left;
  view.left = forest.left;
  view.right = forest.right;
  view.values = forest.values;
  view.set_begin = forest.set_begin;
  view.set_levels = forest.set_levels;
  return view;
}

// True if a row with the value x goes to the left at a node of the forest.
inline bool goes_left(const ForestView& forest, std::size_t node, double x) {
  const View<const int> levels = forest.levels(node);
  if (!levels.empty()) {
    return x == x && std::binary_search(levels.begin(), levels.end(), x);
  }
  return x <= forest.threshold[node] || (x != x && forest.missing_left[node] != 0);
}

// The leaf of tree t that a row reaches. Node n of the forest compares row[features[n]]
// with its threshold.
inline int find_leaf(const ForestView& forest, const int* features, std::size_t t,
                     const double* row) {
  const std::size_t base = static_cast<std::size_t>(forest.node_begin[t]);
  if (forest.node_begin[t + 1] == forest.node_begin[t]) {
    return 0;
  }
  int at = 0;
  do {
    const std::size_t node = base + static_cast<std::size_t>(at);
    const bool left = goes_left(forest, node, row[features[node]]);
    at = left ? forest.left[node] : forest.right[node];
  } while (at >= 0);
  return ~at;
}

}  // namespace rankmix::tree
