// The likelihood of the order of a query's documents by grade under the Plackett-Luce
// model (ListMLE). In this model, the first document is i with probability exp(s_i) /
// sum_j exp(s_j). The following documents are drawn in the same way from the remaining
// documents.
//
//   sum over grades g except the lowest of
//     sum_{i: g_i = g} w_i (log sum_{j: g_j <= g} w_j exp(s_j) - s_i)
//
// with scores s and weights w. Documents of equal grade have no order. Each of them is
// drawn as if the others of its grade were still present (Breslow's rule for ties in Cox
// regression, which has the same likelihood). Documents of the lowest grade are never
// drawn. So the order of rows does not matter, and the value is convex. Without ties, the
// value is minus the Plackett-Luce log-likelihood. A document of weight 2 is equivalent
// to two documents. A query with a single grade is ignored. The hessian is the second
// derivative. Needs grades.
//
// Cost: one exp() for each document and grade, and a sort by grade.
//
// Source: Xia, Liu, Wang, Zhang & Li 2008, doi:10.1145/1390156.1390306; ties: Breslow
// 1974, doi:10.2307/2529620.
#pragma once
#include <memory>

#include "core/objective/objective.h"

namespace rankmix::objective {

class ListMle : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
};

}  // namespace rankmix::objective
