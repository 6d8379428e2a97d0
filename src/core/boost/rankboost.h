// RankBoost: boosting of weak rankers on pairs of documents.
//
// Problem:   a ranker H that orders pairs of documents of a query as their grades do: a
// small
//            sum of D(i, j) exp(H(j) - H(i)) over pairs with g_i > g_j.
// Given:     features, as bins or as they are, grades, queries and their weights.
// Result:    H(x) = sum_t alpha_t h_t(x), as a forest of trees with two leaves.
// Algorithm: in round t h_t is the feature and threshold with the largest |r|, r = sum
// D_t(i,
//            j) (h(i) - h(j)); alpha_t = 1/2 log((1 + r) / (1 - r)), which makes a bound
//            of the sum smallest, or 1/2 log of the weights of pairs that h_t orders
//            rightly by those that it orders wrongly, which makes the sum itself
//            smallest; then D is multiplied by exp(alpha (h(j) - h(i))).
// Reference: Freund, Iyer, Schapire & Singer 2003, J. Machine Learning Research 4,
// 933-969.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/pair_weights.h"
#include "core/boost/threshold_search.h"
#include "core/data/queries.h"
#include "core/tree/documents.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

struct RankBoostOptions {
  PairScheme pairs = PairScheme::kPlain;
  bool exact = false;            // alpha makes the sum smallest, not its bound
  std::vector<int> counts = {};  // how often documents count; empty: once
};

struct RankBoostModel {
  tree::Forest forest;        // what each h gives: 0 or 1, and 1/2 where it abstains
  std::vector<double> alpha;  // of each round, negative where lower values are better
  std::vector<double> edge;   // |r|
  std::vector<double> z;      // what the sum over pairs is multiplied by
  bool stalled = false;       // no weak ranker had an edge
};

// How often each document counts: `counts` times, once if empty, where its query has a
// weight.
tree::Counted counted_by_queries(const data::Queries& queries,
                                 View<const double> query_weights,
                                 View<const int> counts);

class RankBoost {
 public:
  RankBoost(std::unique_ptr<ThresholdSearch> search, const data::Queries& queries,
            View<const int> grades, View<const double> query_weights,
            const RankBoostOptions& options, Host& host);

  bool has_pairs() const { return !weights_.empty(); }
  // Takes over the rounds of a model of the same data and options. Throws InvalidArgument
  // where it has other weights on these.
  void replay(const RankBoostModel& model, Host& host);
  // Adds so many rounds; fewer where nothing has an edge. `total` is for the progress.
  void run(std::size_t rounds, std::size_t total, Host& host);
  const RankBoostModel& model() const { return model_; }

 private:
  struct Step {
    double alpha;
    double edge;
  };
  Step step_of(const Threshold& threshold, Host& host);
  std::vector<int> count_heights(Host& host) const;
  void add(Threshold threshold, const Step& step, Host& host);

  std::unique_ptr<ThresholdSearch> search_;
  RankBoostOptions options_;
  PairWeights weights_;
  tree::Counted counted_;  // rows
  Heights heights_;        // of the weak ranker at hand
  RankBoostModel model_;
};

}  // namespace rankmix::boost
