#include "core/boost/gbrt.h"

#include <algorithm>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/boost/aligned_pairs.h"
#include "core/boost/objective_slopes.h"
#include "core/objective/evaluate.h"
#include "core/tree/grow_oblivious.h"
#include "core/tree/route.h"

namespace rankmix::boost {

void GbrtOptions::validate() const {
  DrawOptions::validate();
  if (limits.leaves < 2 || limits.depth < 1 ||
      (oblivious && limits.depth > kMostLevels) || !(step > 0.0 && step <= 1.0) ||
      !(least_documents >= 1.0) || !(l2 >= 0.0)) {
    throw InvalidArgument("impossible options of gbrt");
  }
}

Gbrt::Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
           View<const double> weights, const GbrtOptions& options, Host& host)
    : bins_(bins),
      options_(options),
      counted_(tree::counted_documents(weights)),
      grower_(bins) {
  options.validate();
  const std::size_t rows = bins.rows();
  if (targets.size() != rows || (!weights.empty() && weights.size() != rows)) {
    throw InvalidArgument("targets, weights and features differ in the number of rows");
  }
  std::vector<double> scaled(weights.begin(), weights.end());
  const double all =
      scaled.empty() ? static_cast<double>(rows)
                     : sum_exactly(host, rows, [&](std::size_t i) { return scaled[i]; });
  for (double& w : scaled) {
    w /= all;
  }
  model_.forest.outputs = 1;
  model_.start = sum_exactly(host, rows, [&](std::size_t i) {
    return scaled.empty() ? targets[i] / all : targets[i] * scaled[i];
  });
  std::vector<double> residuals(targets.begin(), targets.end());
  for (double& residual : residuals) {
    residual -= model_.start;
  }
  const bool fine = options.precision == Precision::kDouble;
  if (fine || !scaled.empty() || rows > WholeResiduals::kMostRows) {
    residuals_ =
        std::make_unique<RealResiduals>(std::move(residuals), std::move(scaled), fine);
  } else {
    residuals_ = std::make_unique<WholeResiduals>(residuals, host);
  }
}

namespace {

// What each document weighs, times its query.
std::vector<double> weights_of_rows(const objective::Documents& documents) {
  std::vector<double> weights(documents.weights.begin(), documents.weights.end());
  weights.resize(documents.rows(), 1.0);
  for (std::size_t q = 0; q < documents.query_weights.size(); ++q) {
    for (int row : documents.queries.rows_of(q)) {
      weights[static_cast<std::size_t>(row)] *= documents.query_weights[q];
    }
  }
  return weights;
}

}  // namespace

Gbrt::Gbrt(const data::BinnedMatrix& bins,
           std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const GbrtOptions& options, Host& host)
    : bins_(bins),
      options_(options),
      counted_(tree::counted_documents(weights_of_rows(documents))),
      grower_(bins) {
  options.validate();
  if (documents.rows() != bins.rows()) {
    throw InvalidArgument("documents and features differ in the number of rows");
  }
  check_documents(*objective, documents);
  model_.forest.outputs = 1;
  model_.start = objective->best_constant(documents, host);
  const bool fine = options.precision == Precision::kDouble;
  const SlopeOptions slopes{options.l2, fine, options.seed};
  if (options.solver == Solver::kPointwise) {
    residuals_ = std::make_unique<ObjectiveSlopes>(std::move(objective), documents,
                                                   counted_, model_.start, slopes);
  } else {
    residuals_ = std::make_unique<AlignedPairs>(
        bins, std::move(objective), documents, counted_, model_.start, slopes,
        options.aligned, options.solver == Solver::kAligned);
  }
}

// Keeping the sums of the root takes a histogram for each leaf: no more memory than the
// bins, and less work than adding the root up.
bool Gbrt::keeps_sums(const tree::Sample& sample) const {
  const std::size_t leaves = options_.oblivious ? std::size_t{1} << options_.limits.depth
                                                : options_.limits.leaves;
  const std::size_t slots = leaves * bins_.slot(bins_.features());
  return sample.rows.empty() && slots <= bins_.rows() * bins_.values_per_row() / 8;
}

tree::GrownTree Gbrt::grow(const tree::Sample& sample, Host& host) {
  tree::Sums* root = keeps_sums(sample) ? residuals_->known_sums() : nullptr;
  if (options_.oblivious) {
    const auto levels = residuals_->levels(options_.least_documents, sample, grower_);
    if (root != nullptr) {
      levels->keep_sums(*root);
    }
    return tree::grow_oblivious(*levels, options_.limits.depth, sample, bins_,
                                grower_.partition(), host);
  }
  const tree::ChannelSource source = residuals_->channels();
  const auto finder = residuals_->finder(options_.least_documents);
  return root == nullptr ? grower_.grow(source, *finder, options_.limits, sample, host)
                         : grower_.grow_on_sums(source, *finder, options_.limits, sample,
                                                host, *root);
}

// False where there is nothing to split.
bool Gbrt::add_tree(Host& host) {
  if (!residuals_->prepare(host)) {
    return false;
  }
  const std::size_t round = model_.forest.round_begin.size() - 1;
  tree::Sample sample = draw(bins_, options_, round);
  tree::GrownTree tree = grow(sample, host);
  if (tree.nodes.empty() && is_partial(sample)) {
    sample = everything(bins_);
    tree = grow(sample, host);
  }
  if (tree.nodes.empty()) {
    return false;
  }
  const tree::Cells& cells = find_cells(tree, sample, grower_, host);
  const std::vector<double> means =
      residuals_->apply_tree(tree, sample, cells, options_.step, grower_, host);
  // A gain is a drop of the mean squared residual, or of the objective.
  tree::append_tree(tree.nodes, tree.gains, residuals_->gain_unit(), means,
                    tree::leaf_documents(tree, sample, cells, counted_, bins_, host),
                    model_.forest);
  tree::end_round(model_.forest);
  return true;
}

void Gbrt::replay(const GbrtModel& model, Host& host) {
  const tree::ForestView forest = view_of(model.forest);
  if (forest.outputs != 1 || model.start != model_.start) {
    throw InvalidArgument("the model was trained on other data");
  }
  tree::Cells& cells = grower_.partition().scratch();
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    host.checkpoint();
    const tree::BinTree leaf_of = bin_tree(forest, t, bins_);
    for_each_block(host, cells.size(), RowCost::kHeavy,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       cells[i] = leaf_of(i);
                     }
                   });
    const double* values = forest.values.data() + forest.leaf_begin[t];
    const auto leaves =
        static_cast<std::size_t>(forest.leaf_begin[t + 1] - forest.leaf_begin[t]);
    if (!residuals_->prepare(host)) {
      throw InvalidArgument("the model was trained on other data");
    }
    const std::vector<double> means =
        residuals_->apply_tree_again(leaves, cells, options_.step, host);
    if (!std::equal(means.begin(), means.end(), values)) {
      throw InvalidArgument("the model was trained on other data");
    }
  }
  model_ = model;
  model_.stalled = false;
  if (model_.forest.leaf_documents.empty()) {
    append_all_documents(bins_, counted_, host, model_.forest);  // an earlier version's
  }
}

void Gbrt::run(std::size_t trees, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < trees; ++i) {
    host.checkpoint();
    if (!add_tree(host)) {
      model_.stalled = true;
      return;
    }
    host.progress(model_.forest.round_begin.size() - 1, total);
  }
}

}  // namespace rankmix::boost
