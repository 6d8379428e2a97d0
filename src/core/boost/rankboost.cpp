#include "core/boost/rankboost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::boost {
namespace {

// A weak ranker without errors would get an infinite alpha.
constexpr double kMaxEdge = 1.0 - 1e-12;
// Smaller edges are rounding errors.
constexpr double kMinEdge = 1.0 / (1 << 30);

double alpha_of(double edge) {
  const double inside = std::min(std::max(edge, -kMaxEdge), kMaxEdge);
  return 0.5 * std::log((1.0 + inside) / (1.0 - inside));
}

// alpha from the weights of pairs that are ordered correctly and incorrectly. Half a pair
// is added to both weights. Otherwise a few pairs without an error would give an infinite
// alpha.
double exact_alpha(const PairWeights::Sides& sides, double pair) {
  return 0.5 * std::log((sides.right + 0.5 * pair) / (sides.wrong + 0.5 * pair));
}

// The nodes of a weak ranker. If it abstains for missing values, the first node separates
// missing values.
std::vector<tree::Node> nodes_of(const Threshold& threshold) {
  if (threshold.absent != Absent::kHalf) {
    return {
        {threshold.feature, threshold.value, threshold.absent == Absent::kBelow, ~0, ~1}};
  }
  return {{threshold.feature, std::numeric_limits<double>::infinity(), false, 1, ~2},
          {threshold.feature, threshold.value, false, ~0, ~1}};
}

Threshold threshold_of(const tree::ForestView& forest, std::size_t t) {
  const auto begin = static_cast<std::size_t>(forest.node_begin[t]);
  const auto end = static_cast<std::size_t>(forest.node_begin[t + 1]);
  if (end - begin != 1 && end - begin != 2) {
    throw InvalidArgument("the model has other trees");
  }
  const Absent single = forest.missing_left[begin] != 0 ? Absent::kBelow : Absent::kAbove;
  return {forest.feature[begin], forest.threshold[end - 1],
          end - begin == 2 ? Absent::kHalf : single};
}

}  // namespace

tree::Counted counted_by_queries(const data::Queries& queries,
                                 View<const double> query_weights,
                                 View<const int> counts) {
  std::vector<double> weights(query_weights.empty() ? 0 : queries.order.size());
  for (std::size_t q = 0; q < query_weights.size(); ++q) {
    for (int row : queries.rows_of(q)) {
      weights[static_cast<std::size_t>(row)] = query_weights[q];
    }
  }
  return tree::counted_documents(weights, counts);
}

RankBoost::RankBoost(std::unique_ptr<ThresholdSearch> search,
                     const data::Queries& queries, View<const int> grades,
                     View<const double> query_weights, const RankBoostOptions& options,
                     Host& host)
    : search_(std::move(search)),
      options_(options),
      weights_(queries, grades, query_weights, options.pairs, host) {
  model_.forest.outputs = 1;
  counted_ = counted_by_queries(queries, query_weights, options.counts);
}

RankBoost::Step RankBoost::step_of(const Threshold& threshold, Host& host) {
  search_->rank(threshold, host, heights_);
  const double edge = weights_.edge(heights_, host);
  return {options_.exact ? exact_alpha(weights_.sides(heights_, host), weights_.least())
                         : alpha_of(edge),
          std::min(std::abs(edge), kMaxEdge)};
}

// Number of documents with the values 0, 1/2 and 1.
std::vector<int> RankBoost::count_heights(Host& host) const {
  const std::vector<std::int64_t> counts =
      sum_tables(host, heights_.size(), 3, [&](std::size_t row, std::int64_t* to) {
        to[heights_[row]] += counted_.empty() ? 1 : counted_[row];
      });
  return std::vector<int>(counts.begin(), counts.end());
}

void RankBoost::add(Threshold threshold, const Step& step, Host& host) {
  const std::vector<int> counts = count_heights(host);
  const bool halves = threshold.absent == Absent::kHalf;
  if (!halves && !search_->has_missing(static_cast<std::size_t>(threshold.feature))) {
    // If the feature is never missing in training, missing values go to the larger side,
    // as in trees.
    threshold.absent = counts[0] >= counts[2] ? Absent::kBelow : Absent::kAbove;
  }
  std::vector<double> values{0.0, 1.0};
  std::vector<int> documents{counts[0], counts[2]};
  std::vector<double> gains{step.edge};
  if (halves) {
    values.push_back(0.5);
    documents.push_back(counts[1]);
    gains.insert(gains.begin(), 0.0);
  }
  tree::append_tree(nodes_of(threshold), gains, 1.0, values, documents, model_.forest);
  tree::end_round(model_.forest);
  model_.alpha.push_back(step.alpha);
  model_.edge.push_back(step.edge);
  weights_.update(heights_, step.alpha, host);
  model_.z.push_back(weights_.sum());
}

void RankBoost::run(std::size_t rounds, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < rounds; ++i) {
    host.checkpoint();
    const Threshold threshold = search_->best(weights_.potentials(), host);
    const Step step = threshold.exists() ? step_of(threshold, host) : Step{0.0, 0.0};
    if (step.edge <= kMinEdge) {
      model_.stalled = true;
      return;
    }
    add(threshold, step, host);
    host.progress(model_.alpha.size(), total);
  }
}

void RankBoost::replay(const RankBoostModel& model, Host& host) {
  const tree::ForestView forest = view_of(model.forest);
  for (std::size_t t = 0; t < forest.rounds(); ++t) {
    host.checkpoint();
    const Threshold threshold = threshold_of(forest, t);
    const Step step = step_of(threshold, host);
    if (step.alpha != model.alpha[t] || step.edge != model.edge[t]) {
      throw InvalidArgument("the model was trained on other data");
    }
    add(threshold, step, host);
  }
}

}  // namespace rankmix::boost
