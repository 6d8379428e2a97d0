// What an edge does to products and sums over leaves (by_cover.h), at every node of the
// quadrature, made once for all rows.
#pragma once
#include <cstddef>
#include <vector>

#include "core/explain/by_cover.h"
#include "core/explain/paths.h"

namespace rankmix::explain {

// Nodes of the quadrature that are worked on side by side.
constexpr std::size_t kLanes = 4;
// A row is left or right of a node, or did not pass the feature's splits above.
constexpr std::size_t kLeft = 0;
constexpr std::size_t kRight = 1;
constexpr std::size_t kOut = 2;
constexpr std::size_t kStates = 3;
// Of a node in a state: factors of the product to the left and to the right, then what
// the sums from there are multiplied by to be the feature's.
constexpr std::size_t kEntry = 4 * kLanes;

struct CoverTables {
  Paths paths;
  std::size_t passes = 0;       // of kLanes nodes of the quadrature each
  std::vector<double> entries;  // passes x nodes x states x kEntry
  std::vector<int> feature;     // of each node, numbered among those in use
  double mean = 0.0;

  const double* pass(std::size_t p) const {
    return entries.data() + p * paths.nodes * kStates * kEntry;
  }
};

// `number` numbers the features that are in use.
CoverTables cover_tables(const tree::ForestView& forest, const Covers& covers,
                         std::size_t tree, const std::vector<int>& number);

}  // namespace rankmix::explain
