#include "core/explain/paths.h"

#include <algorithm>

namespace rankmix::explain {

Paths paths_of(const tree::ForestView& forest, std::size_t tree) {
  Paths paths;
  paths.first_node = static_cast<std::size_t>(forest.node_begin[tree]);
  paths.first_leaf = static_cast<std::size_t>(forest.leaf_begin[tree]);
  paths.nodes = static_cast<std::size_t>(forest.node_begin[tree + 1]) - paths.first_node;
  paths.leaves = static_cast<std::size_t>(forest.leaf_begin[tree + 1]) - paths.first_leaf;
  const std::size_t positions = paths.nodes + paths.leaves;
  paths.features.resize(positions);
  // For each position and feature on its path: the last edge that belongs to a split on
  // the feature.
  std::vector<std::vector<int>> last(positions);
  for (std::size_t n = 0; n < paths.nodes; ++n) {
    const std::size_t node = paths.first_node + n;
    std::vector<int> features = paths.features[n];
    std::vector<int> edges = last[n];
    const int feature = forest.feature[node];
    const auto at = static_cast<std::size_t>(
        std::find(features.begin(), features.end(), feature) - features.begin());
    if (at == features.size()) {
      features.push_back(feature);
      edges.push_back(-1);
    }
    paths.number.push_back(at);
    paths.same_above.push_back(edges[at]);
    paths.max_features = std::max(paths.max_features, features.size());
    for (int next : {forest.left[node], forest.right[node]}) {
      const int position = next >= 0 ? next : static_cast<int>(paths.nodes) + ~next;
      paths.child.push_back(position);
      edges[at] = position;
      paths.features[static_cast<std::size_t>(position)] = features;
      last[static_cast<std::size_t>(position)] = edges;
    }
  }
  return paths;
}

}  // namespace rankmix::explain
