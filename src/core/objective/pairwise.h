// Pairwise losses: documents of the higher grade should score higher.
//
//   sum over pairs (i, j) of a query with grades g_i > g_j of w_i w_j loss(s_i - s_j)
//
//   logistic       log(1 + exp(-d))    RankNet: Burges et al. 2005,
//                                      doi:10.1145/1102351.1102363
//   hinge          max(0, 1 - d)       RankSVM: Joachims 2002, doi:10.1145/775047.775067
//   squared hinge  max(0, 1 - d)^2     Chapelle & Keerthi 2010,
//                                      doi:10.1007/s10791-009-9109-9
//   smooth hinge   max over a in [0, 1] of a (1 - d) - width / 2 a^2: the hinge with a
//                  parabola in place of its corner. It is at most width / 2 below the
//                  hinge. Nesterov 2005, doi:10.1007/s10107-004-0552-5
//
// `margin` can replace the margin 1 of the hinges.
//
// With `queries_alike` the sum of each query is divided by the sum of w_i w_j over its
// pairs, so that all queries count the same (Cao et al. 2006,
// doi:10.1145/1148170.1148205). Needs grades. A query without pairs is ignored. The
// hessian is the second derivative by each score. The hinge has none, so its hessian is
// the weight of the document's pairs. Then gradient / hessian is at most 1.
//
// Cost for n documents with any number of grades: O(n log n) for the hinges (value,
// gradients, hessian and product), see hinge_sums.h. The logistic loss visits all pairs
// of at most `max_listed` documents, see logistic_pairs.h. For longer queries it takes
// O(n log n), see long_logistic_pairs.h. No list of pairs is stored.
#pragma once
#include <memory>

#include "core/objective/logistic_sums.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

enum class PairLoss { kLogistic, kHinge, kSquaredHinge, kSmoothHinge };

struct PairwiseOptions {
  PairLoss loss = PairLoss::kLogistic;
  bool queries_alike = false;  // the weights of the pairs of a query sum to 1
  double margin = 1.0;         // of all hinges
  double width = 0.1;          // of the parabola below the margin; smooth hinge only
  // The largest number of documents whose pairs the logistic loss visits one by one.
  std::size_t max_listed = kMaxListed;
};

class Pairwise : public Objective {
 public:
  explicit Pairwise(const PairwiseOptions& options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;

 private:
  PairwiseOptions options_;
};

}  // namespace rankmix::objective
