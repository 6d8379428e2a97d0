// A cross-entropy that bounds NDCG (XE-NDCG). It is softmax.h with random target
// probabilities in each round instead of the fractions of the gains:
//
//   - sum_i t_i log p_i,   p_i = exp(s_i) / sum_j exp(s_j),
//                          t_i = (y_i + 1 - u_i) / sum_j (y_j + 1 - u_j)
//
// with scores s, targets y >= 0 (the gains 2^grade - 1) and u uniform on [0, 1). u
// depends on the round, the scores and targets of the query, and the position of a
// document in the query, but not on the position of rows or queries. Documents that tie
// in score and target get the mean of t over their orders. This is exact, because the
// denominator is the same for all orders. Queries whose targets are all equal are
// ignored. Documents cannot have weights, because each rank has one document. The hessian
// is the second derivative, p_i (1 - p_i).
//
// Source: Bruch 2021, doi:10.1145/3442381.3449794 (arXiv 1911.09798).
#pragma once
#include <cstdint>
#include <memory>

#include "core/objective/objective.h"
#include "core/objective/softmax.h"

namespace rankmix::objective {

class Xendcg : public Objective {
 public:
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override { check_gains(documents); }
  void begin_round(const Round& round, const Documents&, View<const double>,
                   Host&) override {
    stream_ = round.stream;
  }

 private:
  Softmax softmax_;
  std::uint64_t stream_ = 0;
};

}  // namespace rankmix::objective
