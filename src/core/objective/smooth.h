// A metric made smooth, as an objective: less is better,
//
//   - F(q_1, q_2, ...),
//
// where F is how the metric follows from the gains of the ranked documents, see
// metric::GainRule, and q_r is not the gain of one document, but a mean over documents of
// about its score, see soft_gains.h. So for a sum over ranks such as NDCG@k it is
// - sum_r c_r q_r; for reciprocal rank and ERR - sum_r c_r q_r prod_{l < r} (1 - q_l);
// for average precision the sum of soft precisions. As sigma goes to 0 it goes to the
// metric. Average precision has another smooth form too, see soft_precision.h.
//
// Tied documents share their ranks. A query whose value no ranking changes, such as one
// without a relevant document, has no part. The total weight counts the others: - value /
// total weight is a mean of the metric over them. Needs grades.
//
// It is not convex; for the hessian see soft_gains.h. The smaller sigma is, the more it
// is like the metric, flat with steps. So it may be reached in stages, one sigma after
// the other. Where all documents of a query tie, the derivative is 0, and where they are
// nearer each other than the width sqrt(sigma) it hardly separates better ones from
// others. Learners that go round by round and by gradients alone would stay there, or
// come to a local minimum next to it: in the first rounds, and later where the scores of
// a query have a deviation below 2 sqrt(sigma), gradients are those of least squares to
// the gains of its documents, with a deviation of 8 sqrt(sigma).
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3.
// Cost: O(n k) of n documents and a cut-off k.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/metric/metric.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// Of average precision.
enum class SmoothForm {
  kRanks,     // as above
  kLogistic,  // soft_precision.h
};

struct SmoothOptions {
  std::vector<double> sigmas{1.0};  // of each stage
  SmoothForm form = SmoothForm::kRanks;
  std::size_t warmup = 0;  // rounds of least squares
  void validate() const;
};

class Smooth : public Objective {
 public:
  // Throws where the metric has no such form; evaluating it where it is no such function
  // of ranks.
  Smooth(std::shared_ptr<const metric::Metric> metric, SmoothOptions options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  void begin_round(const Round& round, const Documents&, View<const double>,
                   Host&) override {
    in_rounds_ = true;
    warms_ = round.number < options_.warmup;
  }
  std::size_t stages() const override { return options_.sigmas.size(); }
  void begin_stage(std::size_t stage) override;
  // Scores so far apart make some difference to each other, those further away next to
  // none.
  double width() const;

 private:
  std::shared_ptr<const metric::Metric> metric_;
  SmoothOptions options_;
  double sigma_;
  bool in_rounds_ = false;
  bool warms_ = false;
};

}  // namespace rankmix::objective
