#include "core/boost/monotone.h"

#include <cstdint>
#include <limits>

#include "core/tree/scan.h"

namespace rankmix::boost {
namespace {

class MonotoneFinder : public tree::SplitFinder {
 public:
  MonotoneFinder(const SumMeaning& meaning, const std::vector<int>& monotone)
      : meaning_(meaning), monotone_(monotone) {}

  tree::ScoreKind score_kind() const override { return tree::ScoreKind::kLoss; }
  double node_score(const tree::Totals& total, std::size_t lanes) const override {
    const Side side = side_of(total.data(), lanes == 1);
    return side.gain(side.value({}));
  }
  tree::Split best_of_feature(const tree::HistogramLayout& layout, std::size_t feature,
                              const tree::Histogram& histogram,
                              const tree::Totals& total) const override {
    tree::Split best;
    scan(layout, feature, histogram, total, {}, best);
    return best;
  }
  tree::Split best_of_tile(const tree::HistogramLayout& layout, const data::Tile& tile,
                           const tree::Histogram& histogram, const tree::Totals& total,
                           const std::vector<std::uint8_t>& active) const override {
    return best_within(layout, tile, histogram, total, active, {});
  }
  tree::Split best_within(const tree::HistogramLayout& layout, const data::Tile& tile,
                          const tree::Histogram& histogram, const tree::Totals& total,
                          const std::vector<std::uint8_t>& active,
                          const tree::Branch& branch) const override {
    tree::Split best;
    for (const std::size_t f : tile.features) {
      if (active[f] != 0 && layout.bins().feature(f).bins() >= 2) {
        scan(layout, f, histogram, total, branch.bounds, best);
      }
    }
    return best;
  }
  tree::SideBranches split_branch(const tree::HistogramLayout& layout,
                                  const tree::Split& split, const tree::Branch& of_node,
                                  const tree::Totals& left,
                                  const tree::Totals& right) const override {
    tree::SideBranches sides{of_node, of_node};
    const int sign = sign_of(layout, split.feature, split.bin);
    if (sign != 0) {
      const bool wide = layout.lanes() == 1;
      const double middle = 0.5 * (side_of(left.data(), wide).value(of_node.bounds) +
                                   side_of(right.data(), wide).value(of_node.bounds));
      (sign > 0 ? sides.left : sides.right).bounds.upper = middle;
      (sign > 0 ? sides.right : sides.left).bounds.lower = middle;
    }
    return sides;
  }

 private:
  Side side_of(const std::uint32_t* sums, bool wide) const {
    return boost::side_of(meaning_, sums, wide);
  }

  // 1 if values must rise across this cut, -1 if they must fall, else 0.
  int sign_of(const tree::HistogramLayout& layout, int feature, int bin) const {
    const auto f = static_cast<std::size_t>(feature);
    return bin + 1 < layout.bins().feature(f).value_bins() ? monotone_[f] : 0;
  }

  double split_score(const Side& left, const Side& all, int sign,
                     const tree::Bounds& bounds) const {
    const Side right{all.gradient - left.gradient,
                     all.hessian - left.hessian + meaning_.l2, all.count - left.count};
    const double a = left.value(bounds);
    const double b = right.value(bounds);
    const bool allowed =
        left.count >= meaning_.min_count && right.count >= meaning_.min_count &&
        left.hessian - meaning_.l2 >= meaning_.min_weight &&
        right.hessian - meaning_.l2 >= meaning_.min_weight && sign * (b - a) >= 0.0;
    return allowed ? left.gain(a) + right.gain(b)
                   : -std::numeric_limits<double>::infinity();
  }

  void scan(const tree::HistogramLayout& layout, std::size_t feature,
            const tree::Histogram& histogram, const tree::Totals& total,
            const tree::Bounds& bounds, tree::Split& best) const {
    const data::FeatureBins& bins = layout.bins().feature(feature);
    const std::uint32_t* slots = histogram.data() + layout.begin(feature);
    const std::size_t numbers = layout.numbers();
    const bool wide = layout.lanes() == 1;
    auto add = [&](int bin, SlotSums& sums) {
      add_slot_to(slots + static_cast<std::size_t>(bin) * numbers, numbers, wide, sums);
    };
    bool any_missing = false;
    for (std::size_t l = 0; bins.has_missing && l < layout.channels(); ++l) {
      any_missing =
          any_missing ||
          slots[static_cast<std::size_t>(bins.missing_bin()) * numbers + l] != 0;
    }
    const Side all = side_of(total.data(), wide);
    SlotSums sums{};
    auto gain = [&](const SlotSums& left, int bin) {
      return split_score(side_of(left.data(), wide), all,
                         sign_of(layout, static_cast<int>(feature), bin), bounds);
    };
    auto right = [&](int bin) {
      add(bin, sums);
      return gain(sums, bin);
    };
    auto left = [&](int bin) {
      SlotSums with_missing = sums;
      add(bins.missing_bin(), with_missing);
      return gain(with_missing, bin);
    };
    tree::scan_splits(bins, static_cast<int>(feature), any_missing,
                      all.gain(all.value(bounds)), right, left, best);
  }

  SumMeaning meaning_;
  std::vector<int> monotone_;
};

}  // namespace

std::unique_ptr<tree::SplitFinder> monotone_finder(const SumMeaning& meaning,
                                                   const std::vector<int>& monotone) {
  return std::make_unique<MonotoneFinder>(meaning, monotone);
}

}  // namespace rankmix::boost
