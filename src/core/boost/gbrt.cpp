#include "core/boost/gbrt.h"

#include <algorithm>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/in_order.h"
#include "core/boost/aligned_pairs.h"
#include "core/boost/objective_gradients.h"
#include "core/objective/evaluate.h"
#include "core/tree/grow_oblivious.h"
#include "core/tree/route.h"
#include "core/tree/search.h"

namespace rankmix::boost {

void GbrtOptions::validate(const data::BinnedMatrix& bins) const {
  DrawOptions::validate();
  if ((query_fraction < 1.0 && query_keys.size() != bins.rows()) ||
      (!counts.empty() && counts.size() != bins.rows()) ||
      (!monotone.empty() && monotone.size() != bins.features())) {
    throw InvalidArgument(
        "keys of queries, counts, or signs of features, are too few or many");
  }
  if (limits.leaves < 2 || limits.depth < 1 || (oblivious && limits.depth > kMaxLevels) ||
      !(learning_rate > 0.0 && learning_rate <= 1.0) || !(min_documents >= 1.0) ||
      !(l2 >= 0.0) || !(dropout >= 0.0 && dropout < 1.0)) {
    throw InvalidArgument("impossible options of gbrt");
  }
  if (!groups.empty()) {
    check_groups(groups, bins.features());
  }
  costs.validate(bins.features());
  if (!start_scores.empty() && start_scores.size() != bins.rows()) {
    throw InvalidArgument("start scores and documents differ in number");
  }
  if (!subsets.levels.empty()) {
    if (oblivious) {
      throw InvalidArgument("oblivious trees split no factor by subsets");
    }
    subsets.validate(bins);
  }
}

double GbrtOptions::max_count() const {
  return subsets.levels.empty() ? min_documents
                                : std::max(min_documents, subsets.min_group);
}

Gbrt::Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
           View<const double> weights, const GbrtOptions& options, Host& host)
    : bins_(bins),
      options_(options),
      counted_(tree::counted_documents(weights, options.counts)),
      dropout_(options.dropout, options.learning_rate, options.seed),
      purchases_(options.costs),
      grower_(bins) {
  options.validate(bins);
  const std::size_t rows = bins.rows();
  if (!options.start_scores.empty()) {
    throw InvalidArgument("squared error takes residuals instead of start scores");
  }
  if (targets.size() != rows || (!weights.empty() && weights.size() != rows)) {
    throw InvalidArgument("targets, weights and features differ in the number of rows");
  }
  grower_.agree(host);
  // Documents are treated as copies if their weights equal their counts, or if there are
  // neither weights nor counts.
  const bool copies = tree::weights_are_counts(weights, options.counts, host) ||
                      host.reducer().all_of(weights.empty() && counted_.empty());
  std::vector<double> scaled;
  if (!copies) {
    scaled.assign(weights.begin(), weights.end());
    scaled.resize(rows, 1.0);  // all 1 if there are no weights
  }
  const double all =
      copies ? tree::sum_of_counts(counted_, rows, host)
             : sum_exactly(host, rows, [&](std::size_t i) { return scaled[i]; });
  for (double& w : scaled) {
    w /= all;
  }
  model_.forest.outputs = 1;
  count_all(host);
  model_.start = sum_counted_exactly(
      host, rows, copies ? all : rows_of_all_ranks_,
      [&](std::size_t i) { return copies ? targets[i] / all : targets[i] * scaled[i]; },
      [&](std::size_t i) {
        return copies && !counted_.empty() ? static_cast<std::int64_t>(counted_[i]) : 1;
      });
  std::vector<double> residuals(targets.begin(), targets.end());
  for (double& residual : residuals) {
    residual -= model_.start;
  }
  const bool fine = options.precision == Precision::kDouble;
  // With dropout, the weights of trees change, and residuals would not stay integers in
  // one unit.
  if (fine || !copies || all > WholeResiduals::kMaxRows || dropout_.drops()) {
    residuals_ = std::make_unique<RealResiduals>(
        std::move(residuals), std::move(scaled),
        copies ? counted_ : tree::capped(counted_, options.max_count()), fine, host);
  } else {
    residuals_ = std::make_unique<WholeResiduals>(residuals, counted_, host);
  }
}

void Gbrt::count_all(Host& host) {
  const auto rows = static_cast<double>(bins_.rows());
  double counts[2] = {rows, rows * static_cast<double>(bins_.values_per_row())};
  host.reducer().add(View<double>(counts, 2));
  rows_of_all_ranks_ = counts[0];
  values_of_all_ = counts[1];
}

namespace {

// The weight of each document times the weight of its query, also if all are 1.
std::vector<double> known_weights(const objective::Documents& documents) {
  std::vector<double> weights = objective::weights_of_rows(documents);
  weights.resize(documents.rows(), 1.0);
  return weights;
}

}  // namespace

Gbrt::Gbrt(const data::BinnedMatrix& bins,
           std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const GbrtOptions& options, Host& host)
    : bins_(bins),
      options_(options),
      counted_(tree::counted_documents(known_weights(documents), options.counts)),
      dropout_(options.dropout, options.learning_rate, options.seed),
      purchases_(options.costs),
      grower_(bins) {
  options.validate(bins);
  if (documents.rows() != bins.rows()) {
    throw InvalidArgument("documents and features differ in the number of rows");
  }
  check_documents(*objective, documents);
  grower_.agree(host);
  model_.forest.outputs = 1;
  const bool has_scores = host.reducer().any_of(!options.start_scores.empty());
  model_.start = has_scores ? 0.0 : objective->best_constant(documents, host);
  std::vector<double> scores = std::move(options_.start_scores);
  scores.resize(bins.rows(), model_.start);
  const bool fine = options.precision == Precision::kDouble;
  count_all(host);
  const GradientOptions gradients{options.l2, fine, options.seed, rows_of_all_ranks_};
  if (options.solver == Solver::kPointwise) {
    residuals_ = std::make_unique<ObjectiveGradients>(
        bins, std::move(objective), documents,
        tree::capped(counted_, options.max_count()), std::move(scores), gradients);
  } else {
    residuals_ = std::make_unique<AlignedPairs>(
        bins, std::move(objective), documents,
        tree::capped(counted_, options.max_count()), std::move(scores), gradients,
        options.aligned, options.solver == Solver::kAligned);
  }
}

namespace {

std::vector<double> values_of(const tree::ForestView& forest, std::size_t t) {
  return {forest.values.begin() + forest.leaf_begin[t],
          forest.values.begin() + forest.leaf_begin[t + 1]};
}

// The leaf of each row in a tree of the forest.
const tree::LeafIds& leaf_ids_of(const tree::ForestView& forest, std::size_t t,
                                 const data::BinnedMatrix& bins, tree::LeafIds& leaf_ids,
                                 Host& host) {
  const tree::BinTree leaf_of = bin_tree(forest, t, bins);
  for_each_block(host, leaf_ids.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     leaf_ids[i] = leaf_of(i);
                   }
                 });
  return leaf_ids;
}

}  // namespace

// Keeping the sums of the root requires a histogram for each leaf. These may take no more
// memory than the bins; updating them is then less work than summing the root again.
bool Gbrt::keeps_sums(const tree::Sample& sample) const {
  const std::size_t leaves = options_.oblivious ? std::size_t{1} << options_.limits.depth
                                                : options_.limits.leaves;
  const std::size_t slots = leaves * bins_.slots();
  return sample.takes_all() && static_cast<double>(slots) <= values_of_all_ / 8.0;
}

tree::GrownTree Gbrt::grow(const tree::Sample& sample, Host& host) {
  tree::Sums* root = keeps_sums(sample) ? residuals_->known_sums() : nullptr;
  if (options_.oblivious) {
    const auto levels = residuals_->levels(options_.min_documents, sample, grower_);
    if (root != nullptr) {
      levels->keep_sums(*root);
    }
    LevelLimits limits = level_limits();
    return tree::grow_oblivious(*levels, limits, options_.limits.depth, sample, bins_,
                                grower_.partition(), host);
  }
  const tree::ChannelSource source = residuals_->channels();
  const std::unique_ptr<tree::SplitFinder> by = finder();
  return root == nullptr
             ? grower_.grow(source, *by, options_.limits, sample, host)
             : grower_.grow_on_sums(source, *by, options_.limits, sample, host, *root);
}

std::unique_ptr<tree::SplitFinder> Gbrt::free_finder() const {
  const double least = options_.min_documents;
  std::unique_ptr<tree::SplitFinder> by;
  if (options_.monotone.empty()) {
    by = residuals_->finder(least);
  } else {
    by = monotone_finder(residuals_->meaning(least), options_.monotone);
  }
  const SubsetOptions& subsets = options_.subsets;
  if (!subsets.levels.empty()) {
    by = subset_finder(std::move(by), residuals_->meaning(least),
                       residuals_->meaning(subsets.min_group).min_count, subsets);
  }
  return options_.groups.empty() ? std::move(by)
                                 : interaction_finder(std::move(by), options_.groups);
}

std::unique_ptr<tree::SplitFinder> Gbrt::finder() {
  std::unique_ptr<tree::SplitFinder> by = free_finder();
  return options_.costs.empty() ? std::move(by) : cost_finder(std::move(by), purchases_);
}

// The gain of the best first split of all documents, or of the best first level.
double Gbrt::gain_without_costs(Host& host) {
  const tree::Sample all = everything(bins_);
  if (options_.oblivious) {
    tree::LevelRules no_rules;
    const auto levels = residuals_->levels(options_.min_documents, all, grower_);
    const tree::GrownTree tree =
        tree::grow_oblivious(*levels, no_rules, 1, all, bins_, grower_.partition(), host);
    return tree.gains.empty() ? 0.0 : tree.gains.front();
  }
  tree::Sums sums;
  const tree::Split best = tree::search(grower_.adder(), residuals_->channels(),
                                        *free_finder(), all, host, sums);
  grower_.adder().give_back(sums.histogram);
  return best.exists() ? best.gain : 0.0;
}

// Sets the unit of costs for the next tree. Gains on a sample are proportional to the
// number of its documents. If levels are searched by pairs, gains are proportional to the
// number of pairs with both documents in the sample.
void Gbrt::set_prices(const tree::Sample& sample, Host& host) {
  if (options_.costs.empty()) {
    return;
  }
  if (first_gain_ < 0.0) {
    first_gain_ = gain_without_costs(host) * residuals_->gain_unit();
  }
  double fraction = 1.0;
  if (host.reducer().any_of(!sample.takes_all())) {
    fraction = host.reducer().sum_of(static_cast<double>(sample.rows_of(bins_.rows()))) /
               rows_of_all_ranks_;
    fraction *= options_.solver == Solver::kAligned ? fraction : 1.0;
  }
  purchases_.set_unit(fraction * first_gain_ / residuals_->gain_unit());
}

// Marks the features of all trees as free.
void Gbrt::buy_features() {
  if (!options_.costs.empty()) {
    for (int f : model_.forest.feature) {
      purchases_.buy(static_cast<std::size_t>(f));
    }
  }
}

void Gbrt::keep_state() {
  const std::vector<double> state = residuals_->state();
  states_.insert(states_.end(), state.begin(), state.end());
}

// Adds `fraction` times the weighted values of these trees to the predictions.
void Gbrt::count_trees(const std::vector<std::size_t>& trees, double fraction,
                       Host& host) {
  const tree::ForestView forest = view_of(model_.forest);
  for (std::size_t t : trees) {
    host.checkpoint();
    residuals_->shift(times(fraction * dropout_.weights()[t], values_of(forest, t)),
                      leaf_ids_of(forest, t, bins_, grower_.partition().scratch(), host),
                      host);
  }
}

// Returns false if no split has a gain.
bool Gbrt::grow_tree(std::size_t round, double weight, Host& host) {
  return residuals_->prepare(host) && grow_prepared(round, weight, nullptr, host);
}

bool Gbrt::grow_prepared(std::size_t round, double weight, tree::Sums* root, Host& host) {
  tree::Sample sample = draw(bins_, options_, round, host);
  set_prices(sample, host);
  tree::GrownTree tree =
      root == nullptr ? grow(sample, host) : grow_from(std::move(*root), sample, host);
  if (tree.nodes.empty() && is_partial(sample)) {
    sample = everything(bins_);
    set_prices(sample, host);
    tree = grow(sample, host);
  }
  if (tree.nodes.empty()) {
    return false;
  }
  const tree::LeafIds& leaf_ids = find_leaf_ids(tree, sample, grower_, host);
  const std::vector<double> means =
      residuals_->apply_tree(tree, sample, leaf_ids, weight, grower_, host);
  // The gain is the decrease of the mean squared residual, or of the objective.
  tree::append_tree(tree.nodes, tree.gains, residuals_->gain_unit(), means,
                    tree::leaf_documents(tree, sample, leaf_ids, counted_, bins_, host),
                    model_.forest);
  tree::end_round(model_.forest);
  keep_state();
  arrange(tree, leaf_ids, host);
  return true;
}

void Gbrt::own(data::BinnedMatrix& bins, std::size_t min_bins) {
  // Drawn rows are listed by their numbers, so rows must not be reordered.
  const bool draws = options_.bagging_fraction < 1.0 || options_.query_fraction < 1.0;
  if (!options_.oblivious && !draws && bins.is_dense() &&
      bins.rows() * bins.features() >= min_bins) {
    own_bins_ = &bins;
  }
}

// Passes the first trees to order_, then reorders the rows by it.
void Gbrt::arrange(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids,
                   Host& host) {
  if (order_ == nullptr) {
    return;
  }
  order_->follow(tree, leaf_ids);
  if (!order_->is_ready()) {
    return;
  }
  if (bins_.has_blocks()) {
    order_->sort_by(bins_.block_patterns(host));
  }
  const View<const std::uint32_t> rows = order_->rows();
  own_bins_->reorder(rows, host);
  residuals_->reorder(rows, host);
  if (!counted_.empty()) {
    counted_ = in_order(counted_, rows, host);
  }
  is_arranged_ = true;
  own_bins_ = nullptr;
  order_.reset();
}

bool Gbrt::add_tree(Host& host) {
  const std::vector<std::size_t> dropped = dropout_.next();
  count_trees(dropped, -1.0, host);
  const bool grown = grow_tree(rounds(), dropout_.weight_of_new(dropped.size()), host);
  if (grown) {
    dropout_.add_round();
  }
  count_trees(dropped, 1.0, host);
  return grown;
}

void Gbrt::replay(const GbrtModel& model, Host& host) {
  const tree::ForestView forest = view_of(model.forest);
  if (forest.outputs != 1 || model.start != model_.start) {
    throw InvalidArgument("the model was trained on other data");
  }
  model_ = model;  // count_trees() reads it
  for (std::size_t t = 0; t < forest.trees(); ++t) {
    host.checkpoint();
    const std::vector<std::size_t> dropped = dropout_.next();
    const double weight = dropout_.weight_of_new(dropped.size());
    count_trees(dropped, -1.0, host);
    if (!residuals_->prepare(host)) {
      throw InvalidArgument("the model was trained on other data");
    }
    keep_state();
    if (t == 0) {
      set_prices(everything(bins_), host);
    }
    const std::vector<double> values = values_of(forest, t);
    const tree::LeafIds& leaf_ids =
        leaf_ids_of(forest, t, bins_, grower_.partition().scratch(), host);
    if (!options_.monotone.empty()) {
      // The bounds of the leaves are not stored in the model, so values cannot be
      // recomputed.
      residuals_->shift(times(weight, values), leaf_ids, host);
    } else if (residuals_->apply_tree_again(values.size(), leaf_ids, weight, host) !=
               values) {
      throw InvalidArgument("the model was trained on other data");
    }
    dropout_.add_round();
    count_trees(dropped, 1.0, host);
  }
  model_.stalled = false;
  buy_features();
  if (model_.forest.leaf_documents.empty()) {
    append_all_documents(bins_, counted_, host,
                         model_.forest);  // model of an earlier version
  }
}

}  // namespace rankmix::boost
