// The rules of an oblivious tree with groups of features and with costs of features.
//
// Groups: all nodes of a level have the same features above them. So a level may test the
//         features of all groups that contain the features of all earlier levels, see
//         interactions.h.
// Costs:  the sum of the gains of a test over all leaves is reduced by the cost of its
//         feature once, if the feature is not free yet, see feature_costs.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/boost/feature_costs.h"
#include "core/boost/interactions.h"
#include "core/tree/level_rules.h"

namespace rankmix::boost {

class LevelLimits : public tree::LevelRules {
 public:
  // The rules of one tree. If `groups` is empty, there is no limit. If `purchases` is null,
  // features are free. Both must outlive this object.
  LevelLimits(const FeatureGroups& groups, Purchases* purchases)
      : groups_(groups), purchases_(purchases) {}
  void limit(std::vector<std::uint8_t>& active) const override;
  double cost(std::size_t feature) const override;
  void use(std::size_t feature) override;

 private:
  const FeatureGroups& groups_;
  Purchases* purchases_;
  std::vector<std::uint32_t> open_;  // groups with all features of the tree; empty: all
};

}  // namespace rankmix::boost
