// RankBoost: boosting of weak rankers on pairs of documents.
//
// Problem:   a ranker H that orders the pairs of documents of a query as their grades do:
//            the sum of D(i, j) exp(H(j) - H(i)) over pairs with g_i > g_j is small.
// Given:     features, binned or not, grades, and queries with their weights.
// Result:    H(x) = sum_t alpha_t h_t(x), as a forest of trees with two leaves, or three
//            if h_t abstains for missing values.
// Algorithm: in round t, h_t is the feature and threshold with the largest |r|, where r =
//            sum D_t(i, j) (h(i) - h(j)). alpha_t = 1/2 log((1 + r) / (1 - r)) minimises
//            an upper bound of the sum. With `exact`, alpha_t = 1/2 log(right / wrong)
//            minimises the sum itself, where `right` and `wrong` are the weights of the
//            pairs that h_t orders correctly and incorrectly. Then D is multiplied by
//            exp(alpha (h(j) - h(i))).
// Reference: Freund, Iyer, Schapire & Singer 2003, J. Machine Learning Research 4,
//            933-969.
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
  bool exact = false;            // alpha minimises the sum, not the upper bound
  std::vector<int> counts = {};  // how often each document counts; empty: once each
};

struct RankBoostModel {
  tree::Forest forest;        // values of each h: 0 or 1, or 1/2 if it abstains
  std::vector<double> alpha;  // of each round; negative if lower values are better
  std::vector<double> edge;   // |r|
  std::vector<double> z;      // factor by which each round changes the sum
  bool stalled = false;       // no weak ranker has an edge
};

// How often each document counts: counts[i], or once if `counts` is empty; 0 if the
// weight of its query is 0.
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
  // if its weights differ on these data.
  void replay(const RankBoostModel& model, Host& host);
  // Adds `rounds` rounds, or fewer if no weak ranker has an edge. `total` is only for the
  // progress report.
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
  tree::Counted counted_;  // of each row
  Heights heights_;        // of the current weak ranker
  RankBoostModel model_;
};

}  // namespace rankmix::boost
