// Gradients of an objective as what trees are grown on: a tree is a Newton step for its
// leaves, each of which gets -G / (H + l2) for the sums G and H of the gradients and
// hessians of its documents. The scores of all documents stay here from tree to tree.
//
// A leaf without any hessian, where that is 0 / 0, gets 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/packed_gradients.h"
#include "core/boost/residuals.h"
#include "core/data/bins.h"
#include "core/objective/objective.h"
#include "core/tree/documents.h"

namespace rankmix::boost {

struct GradientOptions {
  double l2 = 0.0;
  // Whether the search uses a finer unit for gradients. Otherwise they are packed into
  // wide numbers where these have enough bits.
  bool fine = false;
  std::uint64_t seed = 0;
};

class ObjectiveGradients : public Residuals {
 public:
  // `documents` is views, which must outlive it. Scores begin at `start`.
  ObjectiveGradients(const data::BinnedMatrix& bins,
                     std::unique_ptr<objective::Objective> objective,
                     const objective::Documents& documents, tree::Counted counted,
                     double start, const GradientOptions& options);
  bool prepare(Host& host) override;
  tree::ChannelSource channels() const override;
  std::unique_ptr<tree::LevelFinder> finder(double min_documents) const override;
  SumMeaning meaning(double min_documents) const override;
  // What a split takes off the objective, to second order.
  double gain_unit() const override;
  std::vector<double> state() const override { return objective_->state(); }
  std::vector<double> apply_tree(tree::GrownTree& tree, const tree::Sample& sample,
                                 const tree::LeafIds& leaf_ids, double learning_rate,
                                 tree::Grower& grower, Host& host) override;
  std::vector<double> apply_tree_again(std::size_t leaves, const tree::LeafIds& leaf_ids,
                                       double learning_rate, Host& host) override;
  void shift(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
             Host& host) override;
  void reorder(View<const std::uint32_t> order, Host& host) override;

 protected:
  // Lets the objective draw for the next round.
  void begin_round(Host& host);
  // What each leaf gets; `leaf_ids` has the leaf of each document.
  virtual std::vector<double> leaf_steps(std::size_t leaves,
                                         const tree::LeafIds& leaf_ids, Host& host) const;

  const data::BinnedMatrix& bins_;
  std::unique_ptr<objective::Objective> objective_;
  objective::Documents documents_;
  std::vector<double> scores_;
  tree::Counted counted_;  // rows

 private:
  std::size_t channel_count() const { return options_.fine ? 4 : 3; }
  double l2_in_units() const { return options_.l2 / hessian_unit_; }
  bool pack(Host& host);
  void fill_channels(Host& host);
  const tree::LeafIds& by_document(const tree::LeafIds& leaf_ids, Host& host);
  void add_to_scores(const std::vector<double>& changes, const tree::LeafIds& leaf_ids,
                     Host& host);
  std::size_t document_of(std::size_t row) const {
    return documents_of_rows_.empty() ? row : documents_of_rows_[row];
  }

  GradientOptions options_;
  // Queries are read document by document, trees row by row; empty where rows are in the
  // order of the documents.
  std::vector<std::uint32_t> documents_of_rows_;
  tree::LeafIds leaf_ids_;  // of documents, where rows are not
  std::size_t round_ = 0;
  std::vector<double> gradients_;
  std::vector<double> hessians_;
  GradientSums sums_;
  double first_magnitude_ = 0.0;
  double gradient_unit_ = 1.0;
  double hessian_unit_ = 1.0;
  double fine_unit_ = 0.0;
  std::unique_ptr<PackedGradients> packed_;  // made when it is needed
  bool is_packed_ = false;
  std::vector<std::uint32_t> channels_;  // where it is not
};

}  // namespace rankmix::boost
