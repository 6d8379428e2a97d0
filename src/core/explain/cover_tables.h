// Tables for by_cover.h: the factors of every edge for products and sums, at every node
// of the quadrature. They are computed once and used for all rows.
#pragma once
#include <cstddef>
#include <vector>

#include "core/explain/by_cover.h"
#include "core/explain/paths.h"

namespace rankmix::explain {

// Nodes of the quadrature that are processed together.
constexpr std::size_t kLanes = 4;
// States of a row at a node. The row goes left, or right, or an earlier split on the same
// feature did not let it pass.
constexpr std::size_t kLeft = 0;
constexpr std::size_t kRight = 1;
constexpr std::size_t kOut = 2;
constexpr std::size_t kStates = 3;
// Length of the entry of a node in a state. Four groups of kLanes numbers: the factors of
// the products to the left and to the right, then the factors that turn the sums of the
// left and the right side into contributions to the feature.
constexpr std::size_t kEntry = 4 * kLanes;

struct CoverTables {
  Paths paths;
  std::size_t passes = 0;       // each pass has kLanes nodes of the quadrature
  std::vector<double> entries;  // passes x nodes x states x kEntry
  std::vector<int> feature;     // of each node, as an index of used features
  double mean = 0.0;

  const double* pass(std::size_t p) const {
    return entries.data() + p * paths.nodes * kStates * kEntry;
  }
};

// `number` maps a feature to its index among the used features.
CoverTables cover_tables(const tree::ForestView& forest, const Covers& covers,
                         std::size_t tree, const std::vector<int>& number);

}  // namespace rankmix::explain
