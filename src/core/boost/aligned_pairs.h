// Pairs of an objective as what oblivious trees are grown on: values of leaves, and with
// `search` levels too, make the sum over pairs least,
//   sum over pairs w (c_upper - c_lower - s)^2,
// with s how much the difference of the scores is short of the one that is wanted. Values
// have the mean 0 in each set of leaves that pairs connect.
//
// Weights and pushes w s are whole numbers of a unit, 2^-30 of the largest weight: sums
// are exact. All weights times a number make the same trees.
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
               const objective::Documents& documents, tree::Counted counted, double start,
               const GradientOptions& gradients, const AlignedOptions& options,
               bool search);
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
  std::vector<WeightedPair> heaviest_;    // those of the search, where that is not all
  std::vector<std::size_t> query_begin_;  // in pairs_
  double unit_ = 0.0;
};

}  // namespace rankmix::boost
