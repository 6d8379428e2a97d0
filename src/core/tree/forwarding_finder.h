// A finder that passes all calls on to another finder. Finders that change a part of
// another finder's search derive from it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::tree {

class ForwardingFinder : public SplitFinder {
 public:
  explicit ForwardingFinder(std::unique_ptr<SplitFinder> inner)
      : inner_(std::move(inner)) {}

  ScoreKind score_kind() const override { return inner_->score_kind(); }
  double node_score(const Totals& total, std::size_t lanes) const override {
    return inner_->node_score(total, lanes);
  }
  Split best_of_feature(const HistogramLayout& layout, std::size_t feature,
                        const Histogram& histogram, const Totals& total) const override {
    return inner_->best_of_feature(layout, feature, histogram, total);
  }
  // Calls of other functions end in best_within() of the derived class.
  Split best_of_tile(const HistogramLayout& layout, const data::Tile& tile,
                     const Histogram& histogram, const Totals& total,
                     const std::vector<std::uint8_t>& active) const override {
    return best_within(layout, tile, histogram, total, active, {});
  }
  Split best_within(const HistogramLayout& layout, const data::Tile& tile,
                    const Histogram& histogram, const Totals& total,
                    const std::vector<std::uint8_t>& active,
                    const Branch& branch) const override {
    return inner_->best_within(layout, tile, histogram, total, active, branch);
  }
  void mark_exhausted(const HistogramLayout& layout, const data::Tile& tile,
                      const Histogram& histogram, const Totals& total,
                      std::vector<std::uint8_t>& active) const override {
    inner_->mark_exhausted(layout, tile, histogram, total, active);
  }
  SideBranches split_branch(const HistogramLayout& layout, const Split& split,
                            const Branch& of_node, const Totals& left,
                            const Totals& right) const override {
    return inner_->split_branch(layout, split, of_node, left, right);
  }

 protected:
  const SplitFinder& inner() const { return *inner_; }

 private:
  std::unique_ptr<SplitFinder> inner_;
};

}  // namespace rankmix::tree
