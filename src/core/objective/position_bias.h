// An objective with an additive position bias. The bias b of the position at which a
// document was shown is added to its score and learned together with the scores:
//
//   objective(s_i + b at the position of i) + l2 / 2 sum_i (b at the position of i)^2.
//
// Before each round except the first, b moves by the fraction kFraction of a Newton step,
//   - kFraction (G + l2 n b) / (H + l2 n),
// with the sums G and H of gradients and hessians over the n documents of a position. The
// number n is the sum of the weights of the documents.
// Because b moves in small steps, an effect that position and features can both explain
// is shared between them. Predictions use s only. The state is b, by position.
//
// The targets of the documents are their positions, 1, 2, ... So the inner objective must
// not need targets. Source: the position bias of LightGBM's lambdarank, as documented
// there.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "core/objective/objective.h"

namespace rankmix::objective {

class PositionBias : public Objective {
 public:
  PositionBias(std::unique_ptr<Objective> inner, double l2)
      : inner_(std::move(inner)), l2_(l2) {}
  Traits traits() const override { return inner_->traits(); }
  std::unique_ptr<QueryWorker> worker() const override { return inner_->worker(); }
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents& documents,
                   View<const double> scores, Host& host) override;
  View<const double> offsets() const override { return offsets_; }
  std::vector<double> state() const override { return bias_; }

 private:
  void learn(const Documents& documents, View<const double> scores, Host& host);

  std::unique_ptr<Objective> inner_;
  double l2_;
  std::vector<double> bias_;
  std::vector<double> offsets_;
};

}  // namespace rankmix::objective
