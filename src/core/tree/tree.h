// Trees as plain arrays: what a fitted ensemble is made of, and what prediction reads.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::tree {

// x <= threshold goes left, a missing x to the side `missing_left` says. A child >= 0 is
// a node of the same tree, a child c < 0 the leaf ~c of the same tree.
struct Node {
  int feature;
  double threshold;
  bool missing_left;
  int left;
  int right;
};

// Many trees, all arrays one after the other. Tree t owns the nodes node_begin[t] ..
// node_begin[t + 1] - 1 and the leaves leaf_begin[t] .. leaf_begin[t + 1] - 1; a leaf has
// `outputs` values. A tree without a node is a single leaf. Round r owns the trees
// round_begin[r] .. round_begin[r + 1] - 1, whose values are multiplied.
struct Forest {
  std::size_t outputs = 0;
  std::vector<int> round_begin{0};
  std::vector<int> node_begin{0};
  std::vector<int> leaf_begin{0};
  std::vector<int> feature;  // from 0
  std::vector<double> threshold;
  std::vector<int> missing_left;
  std::vector<int> left;
  std::vector<int> right;
  std::vector<double> values;  // leaves x outputs, a leaf's values side by side
  std::vector<double> gains;   // of the splits of the nodes, in units of the score
  // How many of the training documents of positive weight came to each node and leaf;
  // empty where an earlier version did not count them.
  std::vector<int> node_documents;
  std::vector<int> leaf_documents;
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

  std::size_t trees() const { return node_begin.size() - 1; }
  std::size_t rounds() const { return round_begin.size() - 1; }
};

// Adds the documents of tree t, the first that lacks them, from those of its leaves: a
// node has those of both its children, which come after it.
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

// Adds a tree, its gains in units of `gain_unit`, with the documents of its leaves;
// end_round() ends a round.
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
  return view;
}

// The leaf of tree t for a row, which has feature f at row[features[node]], node one of
// the forest's.
inline int find_leaf(const ForestView& forest, const int* features, std::size_t t,
                     const double* row) {
  const std::size_t base = static_cast<std::size_t>(forest.node_begin[t]);
  if (forest.node_begin[t + 1] == forest.node_begin[t]) {
    return 0;
  }
  int at = 0;
  do {
    const std::size_t node = base + static_cast<std::size_t>(at);
    const double x = row[features[node]];
    const bool left =
        std::isnan(x) ? forest.missing_left[node] != 0 : x <= forest.threshold[node];
    at = left ? forest.left[node] : forest.right[node];
  } while (at >= 0);
  return ~at;
}

}  // namespace rankmix::tree
