// Squared error of each document:
//
//   1/2 sum_i w_i (s_i - y_i)^2
//
// with scores s, targets y and weights w. Needs targets. The total weight is the weight
// of the documents, so value / total weight is half the mean squared error.
#pragma once
#include <memory>

#include "core/objective/objective.h"

namespace rankmix::objective {

class Squared : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  // The weighted mean of targets minus offsets.
  double best_constant(const Documents& documents, Host& host) const override;
};

}  // namespace rankmix::objective
