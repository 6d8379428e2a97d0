// Logistic losses of pairs that are weighted by perturbed rankings, drawn anew in each
// round (YetiRank).
//
//   - sum over ordered pairs (i, j) of a query of w_ij log(e^xi / (e^xi + e^xj))
//
// The weights are constant within a round. Values of different rounds would belong to
// different functions, so there is no value. Needs grades. As a sum over pairs, the
// objective is sum w_ij 1/2 (x_i - x_j - target)^2. The target is the current difference
// plus s_ij = 1 / (1 + e^(xi - xj)). The hessian of a document is twice the sum of its
// weights, so that its Newton step is equation (15). With `newton` the hessian is the
// second derivative.
//
// Reference: Gulin, Kuralenok & Pavlov 2011, (5), (13) and (15). The paper prints (13)
// and (15) with a sign that makes preferred documents sink.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/objective/objective.h"
#include "core/objective/perturbed.h"

namespace rankmix::objective {

struct YetiOptions : PerturbedOptions {
  bool newton = false;
};

class Yeti : public Objective {
 public:
  explicit Yeti(YetiOptions options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents&, View<const double>,
                   Host&) override {
    stream_ = round.stream;
  }

 private:
  YetiOptions options_;
  std::vector<std::int32_t> noise_;
  std::uint64_t stream_ = 0;
};

}  // namespace rankmix::objective
