// Any objective with something added to the scores for the position at which a document
// was shown, which is learned beside the scores:
//
//   objective(s_i + b at the position of i) + l2 / 2 sum_i (b at the position of i)^2.
//
// Before each round but the first, b moves by kFraction of Newton's step: with the sums G
// and H of gradients and hessians over the n documents of a position, by
//   - kFraction (G + l2 n b) / (H + l2 n).
// So an effect that both explain is shared between position and features, and what a
// model predicts is s alone. The state is b, by position.
//
// `targets` of the documents are their positions, 1, 2, ...; the objective must not need
// others. Source: the position bias of LightGBM's lambdarank, as its documentation has
// it.
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
