// A tree during growth: its nodes, and its leaves with the sums of their rows.
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
  std::size_t begin = 0;  // range of its rows in the partition, if listed
  std::size_t end = 0;
  double rows_of_all_ranks = 0.0;  // number of rows on all ranks
  int parent = -1;                 // parent node, -1 for the root
  bool is_left = false;
  std::size_t depth = 0;
  Totals total;
  Split best;
  Totals best_left;  // sums of the left side of the best split
  Branch branch;
  Histogram histogram;  // empty after the histogram is returned
  // The features whose sums in the histogram are valid. Empty: all features of the
  // sample.
  std::vector<std::uint8_t> active;

  std::size_t rows() const { return end - begin; }  // of this rank
};

struct GrownTree {
  std::vector<Node> nodes;
  std::vector<std::array<Totals, 2>> sides;  // for each node: left, right
  std::vector<double> gains;  // for each node, without costs, in units of the score
  std::vector<Leaf> leaves;
  bool lists_rows = true;  // false: the sides of rows are stored instead (see Grower)
};

}  // namespace rankmix::tree
