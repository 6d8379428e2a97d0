// Gradients of an objective as the data on which trees are grown. A tree is a Newton
// step: each leaf gets -G / (H + l2), where G and H are the sums of the gradients and
// hessians of its documents. The scores of all documents are kept here from tree to tree.
//
// A leaf with H + l2 = 0 gets 0.
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
  // Whether the search uses finer channels for gradients. If not, gradients, hessians and
  // counts are packed into wide numbers, if these have enough bits.
  bool fine = false;
  std::uint64_t seed = 0;
  double rows_of_all_ranks = 0.0;  // number of documents of all ranks
};

class ObjectiveGradients : public Residuals {
 public:
  // The data that `documents` views must outlive this object. `scores` are the scores of
  // the documents before the first tree.
  ObjectiveGradients(const data::BinnedMatrix& bins,
                     std::unique_ptr<objective::Objective> objective,
                     const objective::Documents& documents, tree::Counted counted,
                     std::vector<double> scores, const GradientOptions& options);
  bool prepare(Host& host) override;
  tree::ChannelSource channels() const override;
  std::unique_ptr<tree::LevelFinder> finder(double min_documents) const override;
  SumMeaning meaning(double min_documents) const override;
  // The decrease of the objective by a split, to second order, for a gain of 1.
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
  // Starts a round of the objective, which may draw random numbers.
  void begin_round(Host& host);
  // The value of each leaf. `leaf_ids` has the leaf of each document.
  virtual std::vector<double> leaf_steps(std::size_t leaves,
                                         const tree::LeafIds& leaf_ids, Host& host) const;

  const data::BinnedMatrix& bins_;
  std::unique_ptr<objective::Objective> objective_;
  objective::Documents documents_;
  std::vector<double> scores_;
  tree::Counted counted_;  // of each row

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
  // Objectives read documents query by query, and trees read rows. The document of each
  // row; empty if rows are in the order of the documents.
  std::vector<std::uint32_t> documents_of_rows_;
  tree::LeafIds leaf_ids_;  // of documents, if rows are in another order
  std::size_t round_ = 0;
  std::vector<double> gradients_;
  std::vector<double> hessians_;
  GradientSums sums_;
  double first_magnitude_ = 0.0;
  double gradient_unit_ = 1.0;
  double hessian_unit_ = 1.0;
  double fine_unit_ = 0.0;
  std::unique_ptr<PackedGradients> packed_;  // created when first needed
  bool is_packed_ = false;
  std::vector<std::uint32_t> channels_;  // used if not packed
};

}  // namespace rankmix::boost
