// Grows oblivious trees on the pairs of an objective. The values c of leaves minimise
//   sum over pairs w (c_upper - c_lower - s)^2.
// With `search`, the tests of levels minimise this sum, too. s is the desired difference
// of the scores minus their current difference. The values have mean 0 in each set of
// leaves that pairs connect.
//
// Weights and pushes w s are integers in a unit of 2^-30 of the largest weight, so that
// sums are exact. Multiplying all weights by a constant does not change the trees.
//
// Reference: Gulin, Kuralenok & Pavlov 2011, (16).
#pragma once
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/boost/aligned_levels.h"
#include "core/boost/objective_gradients.h"

namespace rankmix::boost {

class AlignedPairs : public ObjectiveGradients {
 public:
  AlignedPairs(const data::BinnedMatrix& bins,
               std::unique_ptr<objective::Objective> objective,
               const objective::Documents& documents, tree::Counted counted,
               std::vector<double> scores, const GradientOptions& gradients,
               const AlignedOptions& options, bool search);
  bool prepare(Host& host) override;
  std::unique_ptr<tree::LevelChooser> levels(double min_documents,
                                             const tree::Sample& sample,
                                             tree::Grower& grower) const override;
  double gain_unit() const override;

 protected:
  std::vector<double> leaf_steps(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                 Host& host) const override;

 private:
  void collect_pairs(Host& host);
  void keep_heaviest();

  AlignedOptions aligned_;
  bool search_;
  std::vector<WeightedPair> pairs_;       // query by query
  std::vector<WeightedPair> heaviest_;    // pairs to search, if not all of pairs_
  std::vector<std::size_t> query_begin_;  // in pairs_
  double unit_ = 0.0;
};

}  // namespace rankmix::boost
