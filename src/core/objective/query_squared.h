// Squared error within queries: what a number added to all scores of a query cannot mend.
//
//   1/2 sum_i w_i (e_i - m)^2,   e_i = s_i - y_i,   m = sum_i w_i e_i / sum_i w_i
//
// with scores s, targets y and weights w of the documents of a query. The hessian is
// w_i (1 - w_i / sum_j w_j), the second derivative. Needs targets. A query of one
// document has no part. Its total weight is that of the documents of the others.
#pragma once
#include <memory>

#include "core/objective/objective.h"

namespace rankmix::objective {

class QuerySquared : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override { check_targets(documents); }
};

}  // namespace rankmix::objective
