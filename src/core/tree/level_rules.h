// Rules on the features of an oblivious tree: the features that the next level may test,
// and the cost that is subtracted from the gain of a test. Without rules, levels may test
// any feature, and features have no costs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankmix::tree {

class LevelRules {
 public:
  virtual ~LevelRules() = default;
  // Sets active[f] to 0 for features that the next level must not test.
  virtual void limit(std::vector<std::uint8_t>& /*active*/) const {}
  // The number to subtract from the gain of any test of the feature.
  virtual double cost(std::size_t /*feature*/) const { return 0.0; }
  // Called when the tree gets a level that tests the feature.
  virtual void use(std::size_t /*feature*/) {}
};

}  // namespace rankmix::tree
