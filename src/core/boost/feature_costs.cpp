#include "core/boost/feature_costs.h"

#include <algorithm>
#include <utility>

#include "core/base/errors.h"
#include "core/tree/forwarding_finder.h"

namespace rankmix::boost {

void CostOptions::validate(std::size_t features) const {
  const bool fits = costs.size() == features && items.size() == features;
  const bool positive =
      std::all_of(costs.begin(), costs.end(), [](double cost) { return cost >= 0.0; });
  const bool known = std::all_of(items.begin(), items.end(), [&](int item) {
    return item >= 0 && static_cast<std::size_t>(item) < features;
  });
  if (!empty() && !(fits && positive && known)) {
    throw InvalidArgument("impossible costs of features");
  }
}

Purchases::Purchases(const CostOptions& options)
    : options_(options), bought_(options.costs.size(), 0) {}

namespace {

class CostFinder : public tree::ForwardingFinder {
 public:
  CostFinder(std::unique_ptr<tree::SplitFinder> inner, Purchases& purchases)
      : ForwardingFinder(std::move(inner)), purchases_(purchases) {}

  tree::Split best_within(const tree::HistogramLayout& layout, const data::Tile& tile,
                          const tree::Histogram& histogram, const tree::Totals& total,
                          const std::vector<std::uint8_t>& active,
                          const tree::Branch& branch) const override {
    std::vector<std::uint8_t> free = active;
    std::vector<std::size_t> costly;
    for (const std::size_t f : tile.features) {
      if (active[f] != 0 && !purchases_.is_free(f)) {
        free[f] = 0;
        costly.push_back(f);
      }
    }
    tree::Split best = inner().best_within(layout, tile, histogram, total, free, branch);
    std::vector<std::uint8_t> only(costly.empty() ? 0 : active.size(), 0);
    for (std::size_t f : costly) {
      only[f] = 1;
      best = tree::better_of_two(
          best, tree::after_cost(
                    inner().best_within(layout, tile, histogram, total, only, branch),
                    purchases_.cost(f)));
      only[f] = 0;
    }
    return best;
  }

  tree::SideBranches split_branch(const tree::HistogramLayout& layout,
                                  const tree::Split& split, const tree::Branch& of_node,
                                  const tree::Totals& left,
                                  const tree::Totals& right) const override {
    purchases_.buy(static_cast<std::size_t>(split.feature));
    return inner().split_branch(layout, split, of_node, left, right);
  }

 private:
  Purchases& purchases_;
};

}  // namespace

std::unique_ptr<tree::SplitFinder> cost_finder(std::unique_ptr<tree::SplitFinder> inner,
                                               Purchases& purchases) {
  return std::make_unique<CostFinder>(std::move(inner), purchases);
}

}  // namespace rankmix::boost
