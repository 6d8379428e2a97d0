// Gradients that are defined by a metric, not derived from a loss (LambdaRank,
// LambdaMART): the gradient of each pair is scaled by the change in the metric when the
// two documents are swapped.
//
//   lambda of a pair   |c| sigma / (1 + exp(sigma d))
//
// with the change c of the metric, see metric/swap.h, and d the score of the document
// that should rank higher, by the metric, less that of the other. It goes to the gradient
// of the one with a minus sign, to that of the other with a plus; to the hessian of both
// goes |c| sigma^2 p (1 - p), p = 1 / (1 + exp(sigma d)): what the derivative is while c
// stays. So gradients of a query add up to 0. There is no value.
//
// Where documents tie, the change is the mean over all orders of the tied: exact for what
// is a sum over ranks whose discounts do not increase, see lambda_sums.h, for others that
// over orders that are drawn, see lambda_orders.h. Documents of the same score and grade
// have the same gradient, to the last bit.
//
// Pairs: all; those with a document above a rank; or so many partners drawn anew each
// round for each document, whose pairs are weighted so that the mean is that over all
// pairs. What is drawn depends on the round and the grades of the query in the order of
// its scores, not on where rows or queries are.
//
// normalise: `gap` divides c by 0.01 + |difference of scores|, but where all scores of
// the query are the same; `query` multiplies the query's gradients and hessians by log2(1
// + S) / S, S being the sum of the magnitudes of all lambdas, each of both its documents.
//
// Needs grades. A query that all rankings serve as well has no part. Weights of documents
// within a query have no meaning: a rank has one document.
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
  // Pairs have one of the so many top documents, or any.
  std::size_t top = std::numeric_limits<std::size_t>::max();
  std::size_t partners = 0;  // drawn for each document; 0: all pairs
  bool by_gap = false;
  bool by_query = false;
  // Whether pairs have factors of the positions, which are the targets: pair_bias.h.
  bool unbiased = false;
  double position_l2 = 0.0;
  bool losses = false;  // instead of gradients and hessians, to learn factors of
  void validate() const;
};

class Lambda : public Objective {
 public:
  // Evaluating it throws where the metric does not define the change by a swap.
  Lambda(std::shared_ptr<const metric::Metric> metric, const LambdaOptions& options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents& documents,
                   View<const double> scores, Host& host) override;
  // Factors, of clicked ones and then of others.
  std::vector<double> state() const override;

 private:
  std::shared_ptr<const metric::Metric> metric_;
  LambdaOptions options_;
  std::uint64_t stream_ = 0;
  PairFactors factors_;
};

}  // namespace rankmix::objective
