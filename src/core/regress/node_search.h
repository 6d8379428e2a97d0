// Interface of the search for the split of a node.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/node_sums.h"

namespace rankmix::regress {

constexpr double kNoScore = -1e20;

// A cut of one feature. Ties within a feature: the first cut.
struct NodeSplit {
  double score = kNoScore;
  int feature = -1;
  double threshold = 0.0;

  bool exists() const { return feature >= 0; }
};

// The best of one cut for each feature, in the order of features. A later cut must be
// better by more than rounding errors.
inline NodeSplit best_feature(const std::vector<NodeSplit>& found) {
  constexpr double margin = 1e-6;
  NodeSplit best;
  for (const NodeSplit& split : found) {
    if (split.exists() && split.score > best.score + margin) {
      best = split;
    }
  }
  return best;
}

// The data of a node that a search keeps until the children of the node are searched.
struct Kept {
  virtual ~Kept() = default;
};

class NodeSearch {
 public:
  virtual ~NodeSearch() = default;
  // Returns the best split of the root. `kept` gets the data that sides() needs; it may
  // stay null.
  virtual NodeSplit root(View<const std::uint32_t> rows, const NodeSums& sums, Host& host,
                         std::unique_ptr<Kept>& kept) = 0;
  // The two sides of a split. If `wanted`, sides() sets `best` and `kept`. `parent` is
  // the kept data of the node that was split.
  struct Side {
    View<const std::uint32_t> rows;
    NodeSums sums;
    bool wanted = false;
    NodeSplit best;
    std::unique_ptr<Kept> kept;
  };
  virtual void sides(Side& left, Side& right, std::unique_ptr<Kept> parent,
                     Host& host) = 0;
};

}  // namespace rankmix::regress
