// Slopes of an objective as what trees are grown on: a tree is a Newton step for its
// leaves, each of which gets -G / (H + l2) for the sums G and H of the slopes and
// curvatures of its documents. The scores of all documents stay here from tree to tree.
//
// A leaf without any curvature, where that is 0 / 0, gets 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/residuals.h"
#include "core/objective/objective.h"
#include "core/tree/documents.h"

namespace rankmix::boost {

struct SlopeOptions {
  double l2 = 0.0;
  bool fine = false;  // whether the search sees what rounding takes from slopes
  std::uint64_t seed = 0;
};

class ObjectiveSlopes : public Residuals {
 public:
  // `documents` is views, which must outlive it. Scores begin at `start`.
  ObjectiveSlopes(std::unique_ptr<objective::Objective> objective,
                  const objective::Documents& documents, tree::Counted counted,
                  double start, const SlopeOptions& options);
  bool prepare(Host& host) override;
  tree::ChannelSource channels() const override {
    return tree::unit_channels(channels_.data(), channel_count());
  }
  std::unique_ptr<tree::LevelFinder> finder(double least_documents) const override;
  SumMeaning meaning(double least_documents) const override;
  // What a split takes off the objective, to second order.
  double gain_unit() const override;
  std::vector<double> state() const override { return objective_->state(); }
  std::vector<double> apply_tree(tree::GrownTree& tree, const tree::Sample& sample,
                                 const tree::Cells& cells, double step,
                                 tree::Grower& grower, Host& host) override;
  std::vector<double> apply_tree_again(std::size_t leaves, const tree::Cells& cells,
                                       double step, Host& host) override;
  void shift(const std::vector<double>& changes, const tree::Cells& cells,
             Host& host) override;

 protected:
  // Lets the objective draw for the next round.
  void begin_round(Host& host);
  // What each leaf gets.
  virtual std::vector<double> leaf_steps(std::size_t leaves, const tree::Cells& cells,
                                         Host& host) const;

  std::unique_ptr<objective::Objective> objective_;
  objective::Documents documents_;
  std::vector<double> scores_;
  tree::Counted counted_;

 private:
  std::size_t channel_count() const { return options_.fine ? 4 : 3; }
  // A unit of curvatures, and what steps are counted in by units of sums.
  double curvature_unit() const;
  double l2_in_units() const;
  double step_unit() const;
  void fill_channels(Host& host);

  SlopeOptions options_;
  std::size_t round_ = 0;
  std::vector<double> slopes_;
  std::vector<double> curvatures_;
  double slope_magnitude_ = 0.0;  // the sum of all magnitudes
  double first_magnitude_ = 0.0;
  double all_curvature_ = 0.0;
  double fine_unit_ = 0.0;
  std::vector<std::uint32_t> channels_;
};

}  // namespace rankmix::boost
