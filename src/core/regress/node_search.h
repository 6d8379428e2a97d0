// The search for a node's split, whichever way values are looked at.
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

// A cut of one feature; the first of several with the same score.
struct NodeSplit {
  double score = kNoScore;
  int feature = -1;
  double threshold = 0.0;

  bool exists() const { return feature >= 0; }
};

// The best of one cut for each feature, in their order: a later one must be better by
// more than rounding and chance may make it.
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

// What a search keeps of a node until its children are searched.
struct Kept {
  virtual ~Kept() = default;
};

class NodeSearch {
 public:
  virtual ~NodeSearch() = default;
  // The best split of these documents. A child has what its parent kept, and the rows of
  // its sibling, or neither.
  virtual NodeSplit root(View<const std::uint32_t> rows, const NodeSums& sums, Host& host,
                         std::unique_ptr<Kept>& kept) = 0;
  // Of both sides of a node that kept something, where they are to be split.
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
