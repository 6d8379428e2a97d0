#include "core/boost/interactions.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/errors.h"
#include "core/tree/forwarding_finder.h"

namespace rankmix::boost {

void check_groups(const FeatureGroups& groups, std::size_t features) {
  std::vector<std::uint8_t> found(features, 0);
  for (const std::vector<int>& group : groups) {
    int last = -1;
    for (int f : group) {
      if (f <= last || static_cast<std::size_t>(f) >= features) {
        throw InvalidArgument("a group of features is not a set of features");
      }
      found[static_cast<std::size_t>(f)] = 1;
      last = f;
    }
  }
  if (std::find(found.begin(), found.end(), 0) != found.end()) {
    throw InvalidArgument("a feature is in no group");
  }
}

std::vector<std::uint32_t> groups_below(const FeatureGroups& groups,
                                        const std::vector<std::uint32_t>& above,
                                        int feature) {
  std::vector<std::uint32_t> below;
  auto add_if_has = [&](std::uint32_t g) {
    if (std::binary_search(groups[g].begin(), groups[g].end(), feature)) {
      below.push_back(g);
    }
  };
  if (above.empty()) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      add_if_has(static_cast<std::uint32_t>(g));
    }
  } else {
    std::for_each(above.begin(), above.end(), add_if_has);
  }
  return below;
}

std::vector<std::uint8_t> active_in(const FeatureGroups& groups,
                                    const std::vector<std::uint32_t>& open,
                                    const std::vector<std::uint8_t>& active) {
  std::vector<std::uint8_t> allowed(active.size(), 0);
  for (std::uint32_t g : open) {
    for (int f : groups[g]) {
      allowed[static_cast<std::size_t>(f)] = active[static_cast<std::size_t>(f)];
    }
  }
  return allowed;
}

namespace {

class InteractionFinder : public tree::ForwardingFinder {
 public:
  InteractionFinder(std::unique_ptr<tree::SplitFinder> inner, const FeatureGroups& groups)
      : ForwardingFinder(std::move(inner)), groups_(groups) {}

  tree::Split best_within(const tree::HistogramLayout& layout, const data::Tile& tile,
                          const tree::Histogram& histogram, const tree::Totals& total,
                          const std::vector<std::uint8_t>& active,
                          const tree::Branch& branch) const override {
    if (branch.groups.empty()) {
      return inner().best_within(layout, tile, histogram, total, active, branch);
    }
    return inner().best_within(layout, tile, histogram, total,
                               active_in(groups_, branch.groups, active), branch);
  }

  tree::SideBranches split_branch(const tree::HistogramLayout& layout,
                                  const tree::Split& split, const tree::Branch& of_node,
                                  const tree::Totals& left,
                                  const tree::Totals& right) const override {
    tree::SideBranches sides = inner().split_branch(layout, split, of_node, left, right);
    sides.left.groups = sides.right.groups =
        groups_below(groups_, of_node.groups, split.feature);
    return sides;
  }

 private:
  const FeatureGroups& groups_;
};

}  // namespace

std::unique_ptr<tree::SplitFinder> interaction_finder(
    std::unique_ptr<tree::SplitFinder> inner, const FeatureGroups& groups) {
  return std::make_unique<InteractionFinder>(std::move(inner), groups);
}

}  // namespace rankmix::boost
