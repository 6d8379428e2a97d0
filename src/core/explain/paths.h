// A tree as explaining reads it: positions, and what lies on the way to each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/tree.h"

namespace rankmix::explain {

// The positions of a tree are its nodes, in their order, then its leaves: node n's sides
// lead to the positions child[2 n] and child[2 n + 1], after it. An edge is named by the
// position it leads to.
struct Paths {
  std::size_t nodes = 0;
  std::size_t leaves = 1;
  std::size_t max_features = 0;  // different ones on the way to a leaf
  std::size_t first_node = 0;    // of the forest
  std::size_t first_leaf = 0;
  std::vector<int> child;
  // The nearest edge above a node that the same feature decided, -1 if there is none.
  std::vector<int> same_above;
  // Features are numbered on the way from the root: the number of a node's.
  std::vector<std::size_t> number;
  // The features on the way to each position, by number.
  std::vector<std::vector<int>> features;
};

Paths paths_of(const tree::ForestView& forest, std::size_t tree);

// Whether a row goes to the left at a node of the forest.
inline bool goes_left(const tree::ForestView& forest, std::size_t node, double x) {
  return x <= forest.threshold[node] || (x != x && forest.missing_left[node] != 0);
}

}  // namespace rankmix::explain
