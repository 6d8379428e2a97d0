// Gradient boosted regression trees, for squared error or another objective.
//
// Problem:   a function F: x -> R with a small sum_i w_i (y_i - F(x_i))^2, or with scores
//            F(x_i) that make an objective small.
// Given:     binned features, and either targets y_i with optional weights w_i of
//            documents, or the data of the documents that the objective needs.
// Result:    F(x) = start + learning_rate sum_t h_t(x) with regression trees h_t. `start`
//            is the best constant; for squared error, the mean of y.
// Algorithm: tree t is grown on the residuals y_i - F(x_i). The split with the largest
//            decrease of squared error comes first. The value of a leaf is the mean
//            residual of its rows. For an objective with gradients g_i and hessians h_i,
//            the value is the Newton step - sum g_i / (sum h_i + l2), and splits maximise
//            the decrease of the objective by these steps, to second order.
// Reference: Friedman 2001, doi:10.1214/aos/1013203451; Chen & Guestrin 2016,
//            doi:10.1145/2939672.2939785.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/aligned_levels.h"
#include "core/boost/draw.h"
#include "core/boost/dropout.h"
#include "core/boost/feature_costs.h"
#include "core/boost/interactions.h"
#include "core/boost/level_limits.h"
#include "core/boost/residuals.h"
#include "core/boost/row_order.h"
#include "core/boost/subset_finder.h"
#include "core/data/bins.h"
#include "core/objective/objective.h"
#include "core/tree/documents.h"
#include "core/tree/grow.h"
#include "core/tree/roots.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

// The sum that a tree minimises. kPointwise: a sum over documents. kValues: the tests
// minimise a sum over documents, and the leaf values a sum over pairs. kAligned: a sum
// over pairs.
enum class Solver { kPointwise, kValues, kAligned };

// Maximum depth of an oblivious tree.
constexpr std::size_t kMaxLevels = 10;

struct GbrtOptions : DrawOptions {
  tree::Limits limits{31};
  bool oblivious = false;  // grow oblivious trees, up to limits.depth
  double learning_rate = 0.1;
  double min_documents = 1.0;    // smallest number in a leaf, of positive weight
  std::vector<int> counts = {};  // how often each document counts; empty: once each
  Precision precision = Precision::kSingle;  // of the residuals in the search
  double l2 = 0.0;                           // added to the hessian sum of a leaf
  double dropout = 0.0;                      // probability that a round drops a tree
  // For each feature, whether predictions must rise (1) or fall (-1) with it, or neither
  // (0). Empty: no constraints.
  std::vector<int> monotone;
  SubsetOptions subsets;
  FeatureGroups groups;  // groups of features that may be in one branch; empty: no limit
  CostOptions costs;
  // The score of each document before the first tree. The model does not contain them.
  // Empty: the best constant, which the model contains. For objectives only.
  std::vector<double> start_scores;
  Solver solver = Solver::kPointwise;  // other kinds need oblivious trees and pairs
  AlignedOptions aligned;
  void validate(const data::BinnedMatrix& bins) const;
  // The largest count that matters: larger counts of a row have the same effect.
  double max_count() const;
};

struct GbrtModel {
  tree::Forest forest;   // leaf values: mean residuals or Newton steps
  double start = 0.0;    // the mean of the targets, or the best constant
  bool stalled = false;  // whether no split was left
};

class Gbrt {
 public:
  // Fewer bins stay in the cache, where reordering rows does not help.
  static constexpr std::size_t kMinBins = std::size_t{1} << 22;

  // `bins` must outlive this object. If `weights` is empty, all documents have weight 1.
  Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
       View<const double> weights, const GbrtOptions& options, Host& host);
  // Creates a fit for any objective. The data that `documents` views must also outlive
  // this object.
  Gbrt(const data::BinnedMatrix& bins, std::unique_ptr<objective::Objective> objective,
       const objective::Documents& documents, const GbrtOptions& options, Host& host);
  // Declares that no other fit uses the bins. Their rows may then be reordered so that
  // trees grow faster, if there are at least `min_bins` values. Models stay the same, bit
  // for bit.
  void own(data::BinnedMatrix& bins, std::size_t min_bins = kMinBins);
  // Takes over the trees of a model that was trained on the same data with the same
  // options. The residuals are restored bit for bit. Throws InvalidArgument if the model
  // has a threshold that `bins` lacks, or if its leaf values differ on these data.
  void replay(const GbrtModel& model, Host& host);
  // Adds `trees` trees, or fewer if a tree has no split with a gain. `total` is only for
  // the progress report.
  void run(std::size_t trees, std::size_t total, Host& host);
  // Like run(), for several fits on the same bins, round by round. Fits whose trees use
  // all documents and suitable channels share one pass that sums their roots. A fit stops
  // if its tree has no split with a gain, and the others continue.
  static void run_together(const std::vector<Gbrt*>& fits, std::size_t trees,
                           std::size_t total, Host& host);
  const GbrtModel& model() const { return model_; }
  // The states of the objective before each tree, concatenated. Scores are not part of a
  // state.
  const std::vector<double>& states() const { return states_; }
  // The weight of each tree.
  const std::vector<double>& weights() const { return dropout_.weights(); }

 private:
  bool add_tree(Host& host);
  void keep_state();
  tree::GrownTree grow(const tree::Sample& sample, Host& host);
  tree::GrownTree grow_from(tree::Sums root, const tree::Sample& sample, Host& host);
  bool keeps_sums(const tree::Sample& sample) const;
  // Finds splits as if all features were free.
  std::unique_ptr<tree::SplitFinder> free_finder() const;
  // Subtracts the costs of features from gains, and marks features as free once they are
  // split.
  std::unique_ptr<tree::SplitFinder> finder();
  LevelLimits level_limits() {
    return {options_.groups, options_.costs.empty() ? nullptr : &purchases_};
  }
  double gain_without_costs(Host& host);
  void set_prices(const tree::Sample& sample, Host& host);
  void buy_features();
  std::size_t rounds() const { return model_.forest.round_begin.size() - 1; }
  bool shares_root() const;
  void arrange(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids, Host& host);
  bool grow_tree(std::size_t round, double weight, Host& host);
  // Grows a tree on prepared residuals. If `root` is not null, it has the sums of the
  // root, which are consumed.
  bool grow_prepared(std::size_t round, double weight, tree::Sums* root, Host& host);
  bool add_tree_on(tree::Sums* root, Host& host);
  static std::vector<Gbrt*> add_trees(const std::vector<Gbrt*>& fits,
                                      tree::RootSums& roots, Host& host);
  void count_all(Host& host);
  void count_trees(const std::vector<std::size_t>& trees, double fraction, Host& host);

  const data::BinnedMatrix& bins_;
  double rows_of_all_ranks_ = 0.0;  // number of documents of all ranks
  double values_of_all_ = 0.0;      // number of bins that a row adds to a histogram
  GbrtOptions options_;
  tree::Counted counted_;  // of each row
  Dropout dropout_;
  Purchases purchases_;
  double first_gain_ = -1.0;  // of the best first split without costs; < 0: not known
  std::unique_ptr<Residuals> residuals_;
  tree::Grower grower_;
  GbrtModel model_;
  std::vector<double> states_;
  data::BinnedMatrix* own_bins_ = nullptr;  // if their rows may be reordered
  std::unique_ptr<RowOrder> order_;         // while the order is being determined
  bool is_arranged_ = false;                // rows are in another order than documents
};

}  // namespace rankmix::boost
