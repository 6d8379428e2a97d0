#include "core/boost/adaboost_mh.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/boost/replay.h"

namespace rankmix::boost {
namespace {

// A classifier without an error has edge 1 and would get an infinite weight.
constexpr double kMaxEdge = 1.0 - 1e-12;
// One unit of the fixed-point weights; the search cannot see a smaller edge.
constexpr double kMinEdge = 1.0 / (1 << 30);

double alpha_of(double edge) {
  const double below_one = std::min(edge, kMaxEdge);
  return 0.5 * std::log((1.0 + below_one) / (1.0 - below_one));
}

// Z = sum_il w_il exp(-alpha h_l(x_i) y_il) of votes of +1 and -1 with this edge.
double normaliser(double edge) {
  const double alpha = alpha_of(edge);
  return 0.5 * ((1.0 + edge) * std::exp(-alpha) + (1.0 - edge) * std::exp(alpha));
}

}  // namespace

void AdaBoostOptions::validate() const {
  if (!(feature_share > 0.0 && feature_share <= 1.0)) {
    throw InvalidArgument("feature_share must be in (0, 1]");
  }
}

AdaBoost::AdaBoost(const data::BinnedMatrix& bins, View<const int> grades,
                   View<const double> document_weights, std::size_t classes,
                   const AdaBoostOptions& options, BaseLearner& learner, Host& host)
    : bins_(bins),
      options_(options),
      learner_(learner),
      weights_(grades, document_weights, classes, options.weights, options.precision,
               host),
      grower_(bins) {
  options.validate();
  if (grades.size() != bins.rows()) {
    throw InvalidArgument("grades and features differ in the number of rows");
  }
  if (!document_weights.empty() && document_weights.size() != grades.size()) {
    throw InvalidArgument("weights and grades differ in the number of rows");
  }
  model_.forest.outputs = classes;
}

// Marks the features of a round: all, or among those that can be split the share with
// the smallest random numbers.
std::vector<std::uint8_t> AdaBoost::draw_features(std::size_t round) const {
  if (options_.feature_share == 1.0) {
    return std::vector<std::uint8_t>(bins_.features(), 1);
  }
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < bins_.features(); ++f) {
    if (bins_.feature(f).bins() > 1) {
      order.push_back(f);
    }
  }
  const double wanted =
      std::round(options_.feature_share * static_cast<double>(order.size()));
  const std::size_t count =
      std::min(order.size(), std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  std::vector<std::uint8_t> active(bins_.features(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return random_bits(options_.seed, Purpose::kFeatureSample, round, a) <
           random_bits(options_.seed, Purpose::kFeatureSample, round, b);
  });
  for (std::size_t i = 0; i < count; ++i) {
    active[order[i]] = 1;
  }
  return active;
}

void AdaBoost::append(const BaseClassifier& learned) {
  tree::Forest& forest = model_.forest;
  for (const Term& term : learned.terms) {
    for (const tree::Node& node : term.tree.nodes) {
      forest.feature.push_back(node.feature);
      forest.threshold.push_back(node.threshold);
      forest.missing_left.push_back(node.missing_left ? 1 : 0);
      forest.left.push_back(node.left);
      forest.right.push_back(node.right);
    }
    for (double gain : term.tree.gains) {
      forest.gains.push_back(gain * kMinEdge);
    }
    forest.values.insert(forest.values.end(), term.votes.begin(), term.votes.end());
    forest.node_begin.push_back(static_cast<int>(forest.feature.size()));
    forest.leaf_begin.push_back(static_cast<int>(forest.values.size() / forest.outputs));
  }
  forest.round_begin.push_back(static_cast<int>(forest.node_begin.size()) - 1);
}

// False where no base classifier has an edge.
bool AdaBoost::add_round(Host& host) {
  const std::size_t round = model_.alpha.size();
  auto learn = [&](const std::vector<std::uint8_t>& active) {
    return learner_.learn(weights_, active, grower_, host);
  };
  auto edge_of = [&](const BaseClassifier& classifier) {
    return weights_.edge(*classifier.cell_of_row, classifier.votes, host);
  };
  BaseClassifier learned = learn(draw_features(round));
  double edge = edge_of(learned);
  if (edge <= kMinEdge && options_.feature_share < 1.0) {
    // An unlucky draw is no reason to stop: all features have the last word.
    learned = learn(std::vector<std::uint8_t>(bins_.features(), 1));
    edge = edge_of(learned);
  }
  if (edge <= kMinEdge) {
    return false;
  }
  const double alpha = alpha_of(edge);
  weights_.update(*learned.cell_of_row, learned.votes, alpha, normaliser(edge), host);
  append(learned);
  edge = std::min(edge, kMaxEdge);
  model_.alpha.push_back(alpha);
  model_.edge.push_back(edge);
  return true;
}

void AdaBoost::run(std::size_t rounds, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < rounds; ++i) {
    host.checkpoint();
    if (!add_round(host)) {
      model_.status = Status::kStalled;
      return;
    }
    host.progress(model_.alpha.size(), total);
  }
}

void AdaBoost::replay(const tree::ForestView& forest, View<const double> alpha,
                      View<const double> edge, View<const double> gains, Host& host) {
  std::vector<std::uint32_t>& cells = grower_.partition().scratch();
  for (std::size_t round = 0; round < forest.rounds(); ++round) {
    host.checkpoint();
    const Votes votes = replay_round(forest, round, bins_, cells, host);
    const double found = weights_.edge(cells, votes, host);
    if (std::min(found, kMaxEdge) != edge[round]) {
      throw InvalidArgument("the model was trained on other data");
    }
    weights_.update(cells, votes, alpha[round], normaliser(found), host);
  }
  auto copy = [](auto view) {
    return std::vector<std::decay_t<decltype(view[0])>>(view.begin(), view.end());
  };
  model_.forest = {forest.outputs,
                   copy(forest.round_begin),
                   copy(forest.node_begin),
                   copy(forest.leaf_begin),
                   copy(forest.feature),
                   copy(forest.threshold),
                   copy(forest.missing_left),
                   copy(forest.left),
                   copy(forest.right),
                   copy(forest.values),
                   copy(gains)};
  model_.alpha = copy(alpha);
  model_.edge = copy(edge);
}

}  // namespace rankmix::boost
