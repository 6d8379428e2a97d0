// The paths of a tree: its positions, and the features on the path to each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/tree.h"

namespace rankmix::explain {

// Positions of a tree are its nodes in order, followed by its leaves. Node n has the
// children at the positions child[2 n] (left) and child[2 n + 1] (right), which come
// after n. The index of an edge is the position that the edge leads to.
struct Paths {
  std::size_t nodes = 0;
  std::size_t leaves = 1;
  std::size_t max_features = 0;  // largest number of features on a path
  std::size_t first_node = 0;    // index in the forest
  std::size_t first_leaf = 0;
  std::vector<int> child;
  // For each node, the nearest edge above that belongs to a split on the same feature, or
  // -1.
  std::vector<int> same_above;
  // The number of each node's feature. Features on a path are numbered in order of
  // appearance from the root.
  std::vector<std::size_t> number;
  // The features on the path to each position, in the order of their numbers.
  std::vector<std::vector<int>> features;
};

Paths paths_of(const tree::ForestView& forest, std::size_t tree);

using tree::goes_left;

}  // namespace rankmix::explain
