// Losses of pairs: documents of the higher grade are to score higher.
//
//   sum over pairs (i, j) of a query with grades g_i > g_j of w_i w_j loss(s_i - s_j)
//
//   logistic       log(1 + exp(-d))    RankNet: Burges et al. 2005,
//                                      doi:10.1145/1102351.1102363
//   hinge          max(0, 1 - d)       RankSVM: Joachims 2002, doi:10.1145/775047.775067
//   squared hinge  max(0, 1 - d)^2     Chapelle & Keerthi 2010,
//                                      doi:10.1007/s10791-009-9109-9
//   smooth hinge   the hinge with a parabola of a width instead of its corner, below it
//                  by half the width at most: max over a in [0, 1] of
//                  a (1 - d) - width / 2 a^2. Nesterov 2005,
//                  doi:10.1007/s10107-004-0552-5
//
// The margin 1 of the hinges may be another one.
//
// The sum is divided by the pairs' w_i w_j where every query is to count the same, as Cao
// et al. 2006, doi:10.1145/1148170.1148205, have it. Needs grades. A query without pairs
// has no part. The hessian is the second derivative by each score, but for the hinge,
// which has none: there it is the weight of the document's pairs, so that gradient /
// hessian is at most 1.
//
// Cost, of n documents with any number of grades: O(n log n) for the hinges, value,
// gradients, hessian and product alike, see hinge_sums.h; one step a pair for the
// logistic loss, see logistic_pairs.h. No list of pairs is made.
#pragma once
#include <memory>

#include "core/objective/objective.h"

namespace rankmix::objective {

enum class PairLoss { kLogistic, kHinge, kSquaredHinge, kSmoothHinge };

struct PairwiseOptions {
  PairLoss loss = PairLoss::kLogistic;
  bool queries_alike = false;  // the weights of the pairs of a query sum to 1
  double margin = 1.0;         // of the hinges
  double width = 0.1;          // of the parabola of the smooth hinge, below the margin
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
