// Finds the best splits of nodes, from their histograms, for one split score. The code
// that grows trees depends on this interface alone; scan.h builds a finder from a score.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/bins.h"
#include "core/tree/bounds.h"
#include "core/tree/histogram.h"
#include "core/tree/split.h"

namespace rankmix::tree {

enum class ScoreKind {
  kEdge,  // edge of a classifier, at most 1
  kLoss   // decrease of a loss whose initial value is 1
};

class SplitFinder {
 public:
  virtual ~SplitFinder() = default;
  // The meaning of node_score() and of the gains.
  virtual ScoreKind score_kind() const = 0;
  // The score of an unsplit node with these sums; slots have `lanes` lanes.
  virtual double node_score(const Totals& total, std::size_t lanes) const = 0;
  // The best split among the active features of one tile.
  virtual Split best_of_tile(const HistogramLayout& layout, const data::Tile& tile,
                             const Histogram& histogram, const Totals& total,
                             const std::vector<std::uint8_t>& active) const = 0;
  virtual Split best_of_feature(const HistogramLayout& layout, std::size_t feature,
                                const Histogram& histogram,
                                const Totals& total) const = 0;
  // The same as best_of_tile() for a node of this branch.
  virtual Split best_within(const HistogramLayout& layout, const data::Tile& tile,
                            const Histogram& histogram, const Totals& total,
                            const std::vector<std::uint8_t>& active,
                            const Branch&) const {
    return best_of_tile(layout, tile, histogram, total, active);
  }
  // Sets active[f] to 0 for features of a sparse tile that can split neither this node nor
  // its descendants. One side of a split has no rows in the bin of 0. If all rows outside
  // of this bin are too few for a leaf, no split is valid.
  virtual void mark_exhausted(const HistogramLayout&, const data::Tile&, const Histogram&,
                              const Totals&,
                              std::vector<std::uint8_t>& /*active*/) const {}
  // The same as best_within() after mark_exhausted(), in one pass.
  virtual Split best_unless_exhausted(const HistogramLayout& layout,
                                      const data::Tile& tile, const Histogram& histogram,
                                      const Totals& total,
                                      std::vector<std::uint8_t>& active,
                                      const Branch& branch) const {
    mark_exhausted(layout, tile, histogram, total, active);
    return best_within(layout, tile, histogram, total, active, branch);
  }
  // The branches of the two sides of a split, whose sums are given. It is called when the
  // tree gets the split, before its sides are searched.
  virtual SideBranches split_branch(const HistogramLayout&, const Split&,
                                    const Branch& of_node, const Totals& /*left*/,
                                    const Totals& /*right*/) const {
    return {of_node, of_node};
  }
};

}  // namespace rankmix::tree
