// The soft NDCG as an objective, less is better:
//
//   - (soft DCG@k) / (DCG@k of the best ranking)
//
// of the targets, which are the gains and not negative; soft_dcg.h has the formula. Tied
// documents share their ranks. A query without a gain has no part. The total weight
// counts the others, so that - value / total weight goes to the mean NDCG@k over them as
// sigma goes to 0.
//
// It is not convex: the curvature is 1, and the smaller sigma is, the more it is like the
// metric, flat with steps. So it may be reached in stages, one sigma after the other.
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/metric/ranking.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

struct SoftNdcgOptions {
  std::vector<double> sigmas{0.1};  // of each stage, largest first
  std::size_t k = metric::kWholeList;
  void validate() const;
};

class SoftNdcg : public Objective {
 public:
  explicit SoftNdcg(SoftNdcgOptions options);
  Traits traits() const override;
  std::unique_ptr<QueryWorker> worker() const override;
  void check(const Documents& documents) const override;
  std::size_t stages() const override { return options_.sigmas.size(); }
  void begin_stage(std::size_t stage) override;

 private:
  SoftNdcgOptions options_;
  double sigma_;
};

}  // namespace rankmix::objective
