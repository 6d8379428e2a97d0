// A tree as it is grown: nodes and leaves with the sums of their rows.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "core/tree/bounds.h"
#include "core/tree/histogram.h"
#include "core/tree/split.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

struct Leaf {
  std::size_t begin = 0;  // its range of the partition, if the tree lists rows
  std::size_t end = 0;
  int parent = -1;  // the node above, -1 for the root
  bool is_left = false;
  std::size_t depth = 0;
  Totals total;
  Split best;
  Totals best_left;     // sums of the left side of the best split
  Bounds bounds;        // of values, if the booster sets some
  Histogram histogram;  // empty once given back

  std::size_t rows() const { return end - begin; }
};

struct GrownTree {
  std::vector<Node> nodes;
  std::vector<std::array<Totals, 2>> sides;  // for each node: left, right
  std::vector<double> gains;                 // for each node, in units of the score
  std::vector<Leaf> leaves;
  bool lists_rows = true;  // whether the leaves do; else there are sides, see Grower
};

}  // namespace rankmix::tree
