#include "core/boost/adaboost_mh.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"
#include "core/base/in_order.h"
#include "core/boost/replay.h"
#include "core/boost/row_order.h"

namespace rankmix::boost {
namespace {

// A classifier without errors has edge 1, and its alpha would be infinite.
constexpr double kMaxEdge = 1.0 - 1e-12;
// One unit of the fixed-point weights. The search cannot detect a smaller edge.
constexpr double kMinEdge = 1.0 / (1 << 30);

// Below this edge, confidence-rated votes would only fit the rounding errors of the
// weights.
constexpr double kMinRatedEdge = 1.0 / (1 << 20);

double alpha_of(double edge) {
  const double below_one = std::min(edge, kMaxEdge);
  return 0.5 * std::log((1.0 + below_one) / (1.0 - below_one));
}

// Z = sum_il w_il exp(-alpha h_l(x_i) y_il) for votes of -1 and +1 with this edge.
double normaliser(double edge) {
  const double alpha = alpha_of(edge);
  return 0.5 * ((1.0 + edge) * std::exp(-alpha) + (1.0 - edge) * std::exp(alpha));
}

}  // namespace

AdaBoost::AdaBoost(const data::BinnedMatrix& bins, View<const int> grades,
                   View<const double> document_weights, std::size_t classes,
                   const AdaBoostOptions& options, BaseLearner& learner, Host& host)
    : bins_(bins),
      options_(options),
      learner_(learner),
      weights_(grades, document_weights, options.counts, classes, options.weights,
               options.precision, host),
      counted_(tree::counted_documents(document_weights, options.counts)),
      grower_(bins) {
  options.validate();
  if (grades.size() != bins.rows()) {
    throw InvalidArgument("grades and features differ in the number of rows");
  }
  if (!document_weights.empty() && document_weights.size() != grades.size()) {
    throw InvalidArgument("weights and grades differ in the number of rows");
  }
  grower_.agree(host);
  model_.forest.outputs = classes;
  const std::vector<std::size_t> features = bins_.splittable();
  if (options.bandit && !features.empty()) {
    arms_ = std::make_unique<Exp3P>(features, *options.bandit, options.seed);
  }
}

void AdaBoost::own(data::BinnedMatrix& bins, Host& host) {
  // Drawn rows are listed by their numbers, and a bandit reads all rows of one feature.
  if (options_.bagging_fraction < 1.0 || options_.query_fraction < 1.0 ||
      arms_ != nullptr || !bins.has_blocks()) {
    return;
  }
  RowOrder order(bins.rows());
  order.sort_by(bins.block_patterns(host));
  bins.reorder(order.rows(), host);
  weights_.reorder(order.rows(), host);
  if (!counted_.empty()) {
    counted_ = in_order(counted_, order.rows(), host);
  }
}

void AdaBoost::append(const BaseClassifier& learned, const tree::Sample& sample,
                      Host& host) {
  // If the round has a single tree, the leaf ids are the leaves of this tree.
  const View<const std::uint32_t> leaf_ids =
      learned.terms.size() == 1 ? View<const std::uint32_t>(*learned.leaf_ids)
                                : View<const std::uint32_t>();
  for (const Term& term : learned.terms) {
    tree::append_tree(
        term.tree.nodes, term.tree.gains, kMinEdge, term.votes,
        tree::leaf_documents(term.tree, sample, leaf_ids, counted_, bins_, host),
        model_.forest);
  }
  tree::end_round(model_.forest);
}

AdaBoost::Step AdaBoost::step_of(const LeafIds& leaf_ids, const Votes& votes,
                                 double alpha, Host& host) const {
  if (!learner_.confidence_rated()) {
    const double edge = weights_.edge(leaf_ids, votes, host);
    return {alpha_of(edge), std::min(edge, kMaxEdge), weights_.sum() * normaliser(edge)};
  }
  // Computes 1 - Z, since rounding of Z would hide a small edge.
  const double gain = weights_.gain(leaf_ids, votes, alpha, host);
  const double edge = std::sqrt(std::max(0.0, gain * (2.0 - gain)));
  return {alpha, std::min(edge, kMaxEdge), weights_.sum() * (1.0 - gain)};
}

// Returns false if no base classifier has an edge.
bool AdaBoost::add_round(Host& host) {
  tree::Sample sample = draw(bins_, options_, model_.alpha.size(), host);
  if (arms_ != nullptr) {
    arms_->search(sample.takes_all() ? 1.0 : weights_.fraction_of(sample.rows, host));
    sample.chooser = arms_.get();
  }
  auto learn = [&](const tree::Sample& on) {
    return learner_.learn(weights_, on, grower_, host);
  };
  auto measure = [&](const BaseClassifier& learned) {
    return step_of(*learned.leaf_ids, learned.votes, learned.alpha, host);
  };
  const double least = learner_.confidence_rated() ? kMinRatedEdge : kMinEdge;
  BaseClassifier learned = learn(sample);
  Step step = measure(learned);
  if (step.edge <= least && is_partial(sample)) {
    // The drawn features or documents may give no edge by chance. The fit stops only if
    // all features and documents give no edge.
    sample = everything(bins_);
    learned = learn(sample);
    step = measure(learned);
  }
  if (step.edge <= least) {
    return false;
  }
  weights_.update(*learned.leaf_ids, learned.votes, step.alpha, step.z, host);
  append(learned, sample, host);
  model_.alpha.push_back(step.alpha);
  model_.edge.push_back(step.edge);
  if (arms_ != nullptr) {
    model_.pull_begin.push_back(static_cast<int>(arms_->pulls().feature.size()));
  }
  return true;
}

void AdaBoost::run(std::size_t rounds, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < rounds && model_.status == Status::kLimit; ++i) {
    host.checkpoint();
    if (add_round(host)) {
      host.progress(model_.alpha.size(), total);
    } else {
      model_.status = Status::kStalled;
    }
  }
  // Drops the pulls of an unfinished round, because that round will repeat them.
  if (arms_ != nullptr) {
    model_.pulls =
        arms_->pulls().first(static_cast<std::size_t>(model_.pull_begin.back()));
  }
}

void AdaBoost::replay(const AdaBoostModel& model, Host& host) {
  LeafIds& leaf_ids = grower_.partition().scratch();
  const tree::ForestView forest = view_of(model.forest);
  const std::size_t rounds = forest.rounds();
  if (model.forest.outputs != weights_.classes() || model.alpha.size() != rounds ||
      model.edge.size() != rounds) {
    throw InvalidArgument("the model was trained on other grades");
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    host.checkpoint();
    const Votes votes = replay_round(forest, round, bins_, leaf_ids, host);
    const Step step = step_of(leaf_ids, votes, model.alpha[round], host);
    if (step.edge != model.edge[round]) {
      throw InvalidArgument("the model was trained on other data");
    }
    weights_.update(leaf_ids, votes, model.alpha[round], step.z, host);
  }
  if (arms_ != nullptr) {
    arms_->replay(model.pulls);
  }
  model_ = model;
  model_.status = Status::kLimit;
  if (model_.forest.leaf_documents.empty()) {
    append_all_documents(bins_, counted_, host,
                         model_.forest);  // model of an earlier version
  }
}

}  // namespace rankmix::boost
