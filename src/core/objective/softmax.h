// Softmax cross-entropy (ListNet): the softmax of the scores of a query should match the
// fractions of its gains.
//
//   - sum_i t_i log p_i,   p_i = w_i exp(s_i) / sum_j w_j exp(s_j),
//                          t_i = w_i y_i / sum_j w_j y_j
//
// with scores s, targets y >= 0 (gains) and weights w. In the logarithm, p_i is the
// probability of one of the w_i copies, exp(s_i) / sum_j w_j exp(s_j). Queries whose
// targets are all 0 are ignored. The hessian is the second derivative, p_i (1 - p_i).
//
// Source: Cao, Qin, Liu, Tsai & Li 2007, doi:10.1145/1273496.1273513, with fractions of
// the gains instead of their softmax.
#pragma once
#include <memory>

#include "core/objective/objective.h"

namespace rankmix::objective {

class Softmax : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
};

}  // namespace rankmix::objective
