// A smoothed metric as an objective. It is negated, because objectives are minimised:
//
//   - F(q_1, q_2, ...)
//
// F computes the metric from the gains of the ranked documents (metric::GainRule). q_r is
// a soft gain: a mean over documents whose scores are near the score at rank r
// (soft_gains.h). For a sum over ranks such as NDCG@k this is - sum_r c_r q_r. For
// reciprocal rank and ERR it is - sum_r c_r q_r prod_{l < r} (1 - q_l), and for average
// precision minus the sum of soft precisions. As sigma goes to 0, F converges to the
// metric. Average precision has another smooth form in soft_precision.h.
//
// Tied documents share their ranks. Queries whose value does not depend on the ranking,
// such as queries without relevant documents, are ignored. The total weight is the weight
// of the other queries, so - value / total weight is the mean of the smooth metric. Needs
// grades.
//
// The function is not convex; soft_gains.h describes the hessian. For small sigma it is
// flat with steps, like the metric. So it can be minimised in stages with decreasing
// sigma. If all documents of a query tie, the gradient is 0. If scores differ by less
// than the width sqrt(sigma), the gradient hardly separates good documents from others.
// Boosting would make no progress, or end in a local minimum nearby. So in the first
// rounds, and whenever the standard deviation of the scores of a query is below 2
// sqrt(sigma), the gradients are taken from least squares to the gains, which are scaled
// to the standard deviation 8 sqrt(sigma).
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3.
// Cost: O(n k) for n documents and a cut-off k.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/metric/metric.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// The smooth form of average precision.
enum class SmoothForm {
  kRanks,     // as described above
  kLogistic,  // soft_precision.h
};

struct SmoothOptions {
  std::vector<double> sigmas{1.0};  // one for each stage
  SmoothForm form = SmoothForm::kRanks;
  std::size_t warmup = 0;  // first rounds with least squares
  void validate() const;
};

class Smooth : public Objective {
 public:
  // Throws if the form is kLogistic and the metric is not average precision. Evaluation
  // throws if the metric has no GainRule.
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
  // The scale of score differences: documents that are much further apart do not affect
  // each other.
  double width() const;

 private:
  std::shared_ptr<const metric::Metric> metric_;
  SmoothOptions options_;
  double sigma_;
  bool in_rounds_ = false;
  bool warms_ = false;
};

}  // namespace rankmix::objective
