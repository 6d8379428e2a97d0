// The soft NDCG of calibrated scores, a target of sigmoid calibration.
//
//   L = - sum_k w_k (soft DCG of query k) / IDCG_k
//
// over the queries k with IDCG_k > 0. Neither DCG has a cut-off. The scores are v(x) =
// sum_l z_l p_l(x) with gains z_l = 2^l - 1. As sigma goes to 0, -L converges to the
// weighted sum of NDCG. See core/objective/soft_dcg.h.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19). Cost: O(n m) for
// a query of n documents, if each has about m others of similar score.
#pragma once
#include "core/base/host.h"
#include "core/calibrate/holdout.h"
#include "core/calibrate/sigmoid.h"

namespace rankmix::calibrate {

enum class Derivatives { kNone, kAll };

SigmoidTarget soft_ndcg_target(double sigma, const HeldOut& held, double a, double b,
                               Derivatives derivatives, Host& host);

// The gains z_l = 2^l - 1 of the grades l < `grades`.
std::vector<double> exponential_gains(std::size_t grades);

}  // namespace rankmix::calibrate
