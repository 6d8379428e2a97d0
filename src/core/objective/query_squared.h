// Squared error within queries, which ignores a constant added to all scores of a query.
//
//   1/2 sum_i w_i (e_i - m)^2,   e_i = s_i - y_i,   m = sum_i w_i e_i / sum_i w_i
//
// with scores s, targets y and weights w of the documents of a query. The hessian is the
// second derivative, w_i (1 - w_i / sum_j w_j). Needs targets. Queries with one document
// are ignored. The total weight is the weight of the documents of all other queries.
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
