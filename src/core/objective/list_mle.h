// The likelihood of a query's documents in the order of their grades (ListMLE): the
// document of Plackett and Luce is drawn first with the probability exp(s_i) / sum_j
// exp(s_j), then the next one of those that are left.
//
//   sum over grades g but the lowest of sum_{i: g_i = g} w_i (log sum_{j: g_j <= g} w_j
//   exp(s_j) - s_i)
//
// with scores s and weights w. Ties of grades carry no order: each document of a grade is
// drawn as if the others of that grade were still there (Breslow's rule for ties of Cox's
// regression, whose likelihood this is), and those of the lowest grade are what is left
// over, whose order is none. So no order of rows is taken for one of relevance, the value
// is convex, without ties that of Plackett and Luce, and a document of weight 2 is as
// good as two. A query of one grade has no part. The hessian is the second derivative.
// Needs grades.
//
// Cost: one exp() a document and grade; documents are sorted by their grades.
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
