// Costs of features, which are subtracted from the gain of the first split on a feature.
//
// Problem:   a forest that ranks well and needs few, or cheap, features.
// Given:     the cost of each feature, relative to the gain of the best first split.
//            Features of the same item have one common cost, such as the levels of a
//            factor.
// Algorithm: the gain of a split is reduced by the cost of its feature, as long as no
//            split of the forest has tested a feature of the item. Splits of the current
//            tree count, in the order in which they are made. A node that was searched
//            before keeps its reduced gain. For oblivious trees, see level_limits.h.
// Reference: Peter, Diego, Hamprecht and Nadler 2017, Cost efficient gradient boosting;
//            cegb_penalty_feature_coupled of LightGBM.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tree/split_finder.h"

namespace rankmix::boost {

struct CostOptions {
  std::vector<double> costs;  // of each feature; empty: features are free
  std::vector<int> items;     // the item of each feature, from 0
  void validate(std::size_t features) const;
  bool empty() const { return costs.empty(); }
};

// The items that the splits of a forest already use.
class Purchases {
 public:
  explicit Purchases(const CostOptions& options);
  bool is_free(std::size_t feature) const {
    return options_.costs[feature] == 0.0 ||
           bought_[static_cast<std::size_t>(options_.items[feature])] != 0;
  }
  void buy(std::size_t feature) {
    bought_[static_cast<std::size_t>(options_.items[feature])] = 1;
  }
  // The cost of a feature that is not free yet, in units of gains. unit() is the gain
  // that equals the cost 1.
  double cost(std::size_t feature) const { return unit_ * options_.costs[feature]; }
  void set_unit(double unit) { unit_ = unit; }

 private:
  const CostOptions options_;
  std::vector<std::uint8_t> bought_;  // of each item
  double unit_ = 0.0;
};

// Marks the features of new splits as free. `purchases` must outlive the finder.
std::unique_ptr<tree::SplitFinder> cost_finder(std::unique_ptr<tree::SplitFinder> inner,
                                               Purchases& purchases);

}  // namespace rankmix::boost
