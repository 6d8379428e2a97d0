// LambdaRank and LambdaMART: gradients that a metric defines, without a loss. The
// gradient of each pair is scaled by the change in the metric when the two documents are
// swapped.
//
//   lambda of a pair   |c| sigma / (1 + exp(sigma d))
//
// Here c is the change of the metric (metric/swap.h). d is the score of the document that
// should rank higher by the metric, minus the score of the other. The lambda is
// subtracted from the gradient of the document that should rank higher, and added to the
// gradient of the other document. The hessians of both get |c| sigma^2 p (1 - p) with p =
// 1 / (1 + exp(sigma d)), the derivative for constant c. So the gradients of a query sum
// to 0. There is no value.
//
// For tied documents, the change is the mean over all orders of the tied documents. The
// mean is exact for sums over ranks with non-increasing discounts (lambda_sums.h). For
// other metrics it is estimated from random orders (lambda_orders.h). Documents of the
// same score and grade have bit for bit the same gradient.
//
// Pairs: all; pairs with at least one document in the top ranks; or a number of random
// partners for each document in each round, weighted so that the expectation is the sum
// over all pairs. Random numbers depend on the round and on the grades in the order of
// scores, but not on the position of rows or queries.
//
// Normalisation by `gap` divides c by 0.01 + |difference of scores|, unless all scores
// of the query are equal. Normalisation by `query` multiplies the gradients and
// hessians of a query by log2(1 + S) / S. S is twice the sum of all lambdas, as each
// pair has two documents.
//
// Needs grades. Queries for which all rankings have the same value are ignored. Documents
// cannot have weights, because each rank has one document.
//
// Source: Burges 2010, From RankNet to LambdaRank to LambdaMART, MSR-TR-2010-82; Wu,
// Burges, Svore & Gao 2010, doi:10.1007/s10791-009-9112-1.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/metric/metric.h"
#include "core/objective/objective.h"
#include "core/objective/pair_bias.h"

namespace rankmix::objective {

struct LambdaOptions {
  double sigma = 1.0;
  // At least one document of a pair is among the `top` ranks.
  std::size_t top = std::numeric_limits<std::size_t>::max();
  std::size_t partners = 0;  // random partners of each document; 0: all pairs
  bool by_gap = false;
  bool by_query = false;
  // Pairs are weighted by the position bias of pair_bias.h; positions are the targets.
  bool unbiased = false;
  double position_l2 = 0.0;
  // Known factors of clicked documents by position; the factors of other documents are 1.
  // If empty, both kinds of factors are learned.
  std::vector<double> known_factors;
  bool losses = false;  // return losses instead, to learn the bias factors
  void validate() const;
};

class Lambda : public Objective {
 public:
  // Evaluation throws if the metric does not define the change by a swap.
  Lambda(std::shared_ptr<const metric::Metric> metric, const LambdaOptions& options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents& documents,
                   View<const double> scores, Host& host) override;
  // The factors of pair_bias.h: first of clicked documents, then of the other documents.
  std::vector<double> state() const override;

 private:
  std::shared_ptr<const metric::Metric> metric_;
  LambdaOptions options_;
  std::uint64_t stream_ = 0;
  PairFactors factors_;
};

}  // namespace rankmix::objective
