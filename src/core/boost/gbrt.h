// Gradient boosted regression trees, for squared error or another objective.
//
// Problem:   a function F: x -> R with a small sum_i w_i (y_i - F(x_i))^2, or with scores
//            F(x_i) that make an objective small.
// Given:     binned features, and targets y_i with weights w_i of documents if they
//            differ, or the data of the documents that the objective needs.
// Result:    F(x) = start + learning_rate sum_t h_t(x), h_t regression trees; the start
//            is the best constant, the mean of y.
// Algorithm: tree t is grown on the residuals y_i - F(x_i), the split with the largest
//            drop of squared error first; a leaf's value is the mean residual of its
//            rows. Of an objective with gradients g_i and hessians h_i it is the Newton
//            step - sum g_i / (sum h_i + l2), and splits are those that gain most of it.
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
#include "core/boost/residuals.h"
#include "core/boost/row_order.h"
#include "core/data/bins.h"
#include "core/objective/objective.h"
#include "core/tree/documents.h"
#include "core/tree/grow.h"
#include "core/tree/roots.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

// What minimises an objective over a tree: a sum over documents, or the sum over pairs,
// over the values of leaves alone or with the tests of levels.
enum class Solver { kPointwise, kValues, kAligned };

// Of an oblivious tree.
constexpr std::size_t kMaxLevels = 10;

struct GbrtOptions : DrawOptions {
  tree::Limits limits{31};
  bool oblivious = false;  // trees of one test a level, up to the depth of the limits
  double learning_rate = 0.1;
  double min_documents = 1.0;                // in a leaf, of positive weight
  std::vector<int> counts = {};              // how often documents count; empty: once
  Precision precision = Precision::kSingle;  // of the residuals in the search
  double l2 = 0.0;                           // added to hessians of leaves
  double dropout = 0.0;                      // chance that a round leaves a tree out
  // Whether predictions must rise (1) or fall (-1) with each feature, else 0; empty:
  // none.
  std::vector<int> monotone;
  Solver solver = Solver::kPointwise;  // other ones are for oblivious trees of pairs
  AlignedOptions aligned;
  void validate(const data::BinnedMatrix& bins) const;
};

struct GbrtModel {
  tree::Forest forest;   // leaf values are mean residuals, or Newton steps
  double start = 0.0;    // the mean of the targets, or the best constant
  bool stalled = false;  // nothing was left to split
};

class Gbrt {
 public:
  // Fewer of them stay in the cache.
  static constexpr std::size_t kMinBins = std::size_t{1} << 22;

  // `bins` must outlive it. Weights of documents may be empty: all are 1.
  Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
       View<const double> weights, const GbrtOptions& options, Host& host);
  // The same for any objective. What the documents' views are of must outlive it, too.
  Gbrt(const data::BinnedMatrix& bins, std::unique_ptr<objective::Objective> objective,
       const objective::Documents& documents, const GbrtOptions& options, Host& host);
  // Declares that the bins are used by no other fit: their rows may be reordered so that
  // trees grow faster, where there are enough bins for that to pay off. Models stay the
  // same, bit for bit.
  void own(data::BinnedMatrix& bins, std::size_t min_bins = kMinBins);
  // Takes over the trees of a model that was trained on the same data with the same
  // options: the residuals come out as they were, bit for bit. Throws InvalidArgument
  // where the model splits at what is no threshold of these data, or has other leaves.
  void replay(const GbrtModel& model, Host& host);
  // Adds so many trees; fewer where a tree finds nothing to split. `total` is for the
  // progress.
  void run(std::size_t trees, std::size_t total, Host& host);
  // The same for several on the same bins, round by round: where their trees are on all
  // documents and residuals are weighted, one pass adds up the roots of all. Those that
  // find nothing to split end, the others continue.
  static void run_together(const std::vector<Gbrt*>& fits, std::size_t trees,
                           std::size_t total, Host& host);
  const GbrtModel& model() const { return model_; }
  // What the objective had learned beside the scores before each tree, tree by tree.
  const std::vector<double>& states() const { return states_; }
  // What each tree counts for.
  const std::vector<double>& weights() const { return dropout_.weights(); }

 private:
  bool add_tree(Host& host);
  void keep_state();
  tree::GrownTree grow(const tree::Sample& sample, Host& host);
  tree::GrownTree grow_from(tree::Sums root, const tree::Sample& sample, Host& host);
  bool keeps_sums(const tree::Sample& sample) const;
  std::unique_ptr<tree::SplitFinder> finder() const;
  std::size_t rounds() const { return model_.forest.round_begin.size() - 1; }
  bool shares_root() const;
  void arrange(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids, Host& host);
  bool grow_tree(std::size_t round, double weight, Host& host);
  // Of residuals that are ready; `root`, if there is one, is used up.
  bool grow_prepared(std::size_t round, double weight, tree::Sums* root, Host& host);
  bool add_tree_on(tree::Sums* root, Host& host);
  static std::vector<Gbrt*> add_trees(const std::vector<Gbrt*>& fits,
                                      tree::RootSums& roots, Host& host);
  void count_trees(const std::vector<std::size_t>& trees, double fraction, Host& host);

  const data::BinnedMatrix& bins_;
  GbrtOptions options_;
  tree::Counted counted_;  // rows
  Dropout dropout_;
  std::unique_ptr<Residuals> residuals_;
  tree::Grower grower_;
  GbrtModel model_;
  std::vector<double> states_;
  data::BinnedMatrix* own_bins_ = nullptr;  // where their rows may be moved
  std::unique_ptr<RowOrder> order_;         // while it is being found
  bool is_arranged_ = false;                // rows are in another order than documents
};

}  // namespace rankmix::boost
