// Proportional odds (cumulative logistic regression) of the grades:
//
//   - sum_i w_i log P(y_i | s_i),   P(y >= g_k | s) = 1 / (1 + exp(b_k - s))
//
// with scores s, grades y, weights w, and a bound b_k below each grade g_k that there is
// but the lowest. A grade that there is not belongs to the next lower one.
//
// Bounds: those of the largest likelihood at the scores as they are, found anew when a
// round begins, by Newton's method from the last ones. They are the state: g_1, b_1, g_2,
// b_2, ... As a number that is added to all scores and bounds changes nothing, any
// constant score is as good. Gradients are for bounds that stay as they are.
//
// Source: McCullagh 1980, Regression models for ordinal data, doi:10.1111/j.2517-6161.
// 1980.tb01109.x.
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
  std::vector<GradeBound> bounds_;  // by grade
  bool known_ = false;
};

}  // namespace rankmix::objective
