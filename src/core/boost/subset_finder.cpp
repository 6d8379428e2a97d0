#include "core/boost/subset_finder.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/errors.h"
#include "core/tree/forwarding_finder.h"

namespace rankmix::boost {

void SubsetOptions::validate(const data::BinnedMatrix& bins) const {
  if (levels.size() != bins.features() || !bins.is_dense() || max_levels < 1 ||
      !(smooth >= 0.0) || !(l2 >= 0.0) || !(min_group >= 1.0)) {
    throw InvalidArgument("impossible options of splits by subsets");
  }
  for (std::size_t f = 0; f < levels.size(); ++f) {
    if (levels[f] != 0 && levels[f] != bins.feature(f).value_bins()) {
      throw InvalidArgument("a level has no bin of its own");
    }
  }
}

namespace {

struct Level {
  int bin;
  double ratio;
};

class SubsetFinder : public tree::ForwardingFinder {
 public:
  SubsetFinder(std::unique_ptr<tree::SplitFinder> numbers, const SumMeaning& meaning,
               double min_group, const SubsetOptions& options)
      : ForwardingFinder(std::move(numbers)),
        meaning_(meaning),
        l2_(meaning.l2),
        cat_l2_(options.l2 * meaning.hessian_of_1),
        smooth_(options.smooth * meaning.hessian_of_1),
        min_group_(min_group),
        options_(options) {
    meaning_.l2 = 0.0;
  }

  tree::Split best_of_feature(const tree::HistogramLayout& layout, std::size_t feature,
                              const tree::Histogram& histogram,
                              const tree::Totals& total) const override {
    if (options_.levels[feature] == 0) {
      return inner().best_of_feature(layout, feature, histogram, total);
    }
    return Node(*this, layout, histogram, total, {}).best_of(feature);
  }
  tree::Split best_within(const tree::HistogramLayout& layout, const data::Tile& tile,
                          const tree::Histogram& histogram, const tree::Totals& total,
                          const std::vector<std::uint8_t>& active,
                          const tree::Branch& branch) const override {
    std::vector<std::uint8_t> of_numbers = active;
    tree::Split best_set;
    for (const std::size_t f : tile.features) {
      if (options_.levels[f] == 0 || active[f] == 0) {
        continue;
      }
      of_numbers[f] = 0;
      best_set = tree::better(
          best_set, Node(*this, layout, histogram, total, branch.bounds).best_of(f));
    }
    const tree::Split best =
        inner().best_within(layout, tile, histogram, total, of_numbers, branch);
    return tree::better_of_two(best_set, best);
  }

 private:
  // Searches the factors of one node.
  class Node {
   public:
    Node(const SubsetFinder& finder, const tree::HistogramLayout& layout,
         const tree::Histogram& histogram, const tree::Totals& total,
         const tree::Bounds& bounds)
        : finder_(finder),
          layout_(layout),
          histogram_(histogram),
          bounds_(bounds),
          all_(side(total.data())) {}

    tree::Split best_of(std::size_t feature) const {
      tree::Split best;
      std::vector<Level> levels = sorted_levels(feature);
      try_first(feature, levels, best);
      std::reverse(levels.begin(), levels.end());
      try_first(feature, levels, best);
      return best;
    }

   private:
    bool wide() const { return layout_.lanes() == 1; }
    Side side(const std::uint32_t* sums) const {
      return side_of(finder_.meaning_, sums, wide());
    }
    const std::uint32_t* slot(std::size_t feature, int bin) const {
      return histogram_.data() + layout_.begin(feature) +
             static_cast<std::size_t>(bin) * layout_.numbers();
    }
    double score(Side side, double l2) const {
      side.hessian += l2;
      return side.gain(side.value(bounds_));
    }

    // The levels that have documents in the node.
    std::vector<Level> sorted_levels(std::size_t feature) const {
      std::vector<Level> levels;
      for (int bin = 0; bin < finder_.options_.levels[feature]; ++bin) {
        const Side of_level = side(slot(feature, bin));
        const double over = of_level.hessian + finder_.smooth_;
        if (of_level.count > 0.0) {
          levels.push_back({bin, over > 0.0 ? of_level.gradient / over : 0.0});
        }
      }
      std::stable_sort(levels.begin(), levels.end(),
                       [](const Level& a, const Level& b) { return a.ratio < b.ratio; });
      return levels;
    }

    // Improves `best` by sets of the first levels.
    void try_first(std::size_t feature, const std::vector<Level>& levels,
                   tree::Split& best) const {
      const SumMeaning& meaning = finder_.meaning_;
      const double l2 = finder_.l2_ + finder_.cat_l2_;
      const double node_score = score(all_, finder_.l2_);
      const std::size_t most = std::min(levels.size(), finder_.options_.max_levels);
      SlotSums sums{};
      tree::BinSet set;
      double before = 0.0;  // documents of the last candidate
      for (std::size_t k = 0; k < most; ++k) {
        set.add(levels[k].bin);
        add_slot_to(slot(feature, levels[k].bin), layout_.numbers(), wide(), sums);
        const Side left = side(sums.data());
        const Side right{all_.gradient - left.gradient, all_.hessian - left.hessian,
                         all_.count - left.count};
        if (left.count < meaning.min_count || left.hessian < meaning.min_weight) {
          continue;
        }
        if (right.count < std::max(meaning.min_count, finder_.min_group_) ||
            right.hessian < meaning.min_weight) {
          break;
        }
        if (left.count - before < finder_.min_group_) {
          continue;
        }
        before = left.count;
        const double gain = score(left, l2) + score(right, l2) - node_score;
        if (gain > best.gain) {
          best = {gain, static_cast<int>(feature), 0, tree::Missing::kRight, set};
        }
      }
    }

    const SubsetFinder& finder_;
    const tree::HistogramLayout& layout_;
    const tree::Histogram& histogram_;
    const tree::Bounds& bounds_;
    Side all_;
  };

  SumMeaning meaning_;  // with l2 = 0
  double l2_;
  double cat_l2_;
  double smooth_;
  double min_group_;
  SubsetOptions options_;
};

}  // namespace

std::unique_ptr<tree::SplitFinder> subset_finder(
    std::unique_ptr<tree::SplitFinder> numbers, const SumMeaning& meaning,
    double min_group, const SubsetOptions& options) {
  return std::make_unique<SubsetFinder>(std::move(numbers), meaning, min_group, options);
}

}  // namespace rankmix::boost
