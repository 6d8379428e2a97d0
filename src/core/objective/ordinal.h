// Proportional odds (cumulative logistic regression) of the grades:
//
//   - sum_i w_i log P(y_i | s_i),   P(y >= g_k | s) = 1 / (1 + exp(b_k - s))
//
// with scores s, grades y, weights w, and a bound b_k below each observed grade g_k
// except the lowest. A grade that was not observed counts as the next lower observed one.
//
// Bounds maximise the likelihood at the current scores. They are updated at the start of
// each round by Newton's method, started at the last bounds. The state of the objective
// is g_1, b_1, g_2, b_2, ... The objective does not change if a constant is added to all
// scores and bounds. So all constant initial scores are equivalent. Gradients treat the
// bounds as fixed.
//
// Source: McCullagh 1980, Regression models for ordinal data,
// doi:10.1111/j.2517-6161.1980.tb01109.x.
#pragma once
#include <memory>
#include <vector>

#include "core/objective/objective.h"

namespace rankmix::objective {

struct GradeBound {
  int grade;
  double bound;
};

class Ordinal : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents& documents,
                   View<const double> scores, Host& host) override;
  std::vector<double> state() const override;
  void set_state(View<const double> state) override;

 private:
  std::vector<GradeBound> bounds_;  // in the order of grades
  bool known_ = false;
};

}  // namespace rankmix::objective
