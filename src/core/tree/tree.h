// Trees as plain arrays: what a fitted ensemble is made of, and what prediction reads.
#pragma once
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
// `outputs` values. A tree without a node is a single leaf.
struct Forest {
  std::size_t outputs = 0;
  std::vector<int> node_begin{0};
  std::vector<int> leaf_begin{0};
  std::vector<int> feature;  // from 0
  std::vector<double> threshold;
  std::vector<int> missing_left;
  std::vector<int> left;
  std::vector<int> right;
  std::vector<int> values;  // leaves x outputs, a leaf's values side by side
};

struct ForestView {
  std::size_t outputs = 0;
  View<const int> node_begin;
  View<const int> leaf_begin;
  View<const int> feature;
  View<const double> threshold;
  View<const int> missing_left;
  View<const int> left;
  View<const int> right;
  View<const int> values;

  std::size_t trees() const { return node_begin.size() - 1; }
};

}  // namespace rankmix::tree
