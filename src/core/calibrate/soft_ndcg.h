// The soft NDCG of calibrated scores, a target of sigmoid calibration.
//
//   L = - sum_k w_k (soft DCG of query k) / IDCG_k
//
// over the queries k with IDCG_k > 0, both without a cut-off, of scores
// v(x) = sum_l z_l p_l(x) and gains z_l = 2^l - 1. As sigma goes to 0, -L goes to the sum
// of NDCG. See core/objective/soft_dcg.h.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19). Cost: O(n m) of a
// query of n documents of which m have about the score of another.
#pragma once
#include "core/base/host.h"
#include "core/calibrate/holdout.h"
#include "core/calibrate/sigmoid.h"

namespace rankmix::calibrate {

enum class Derivatives { kNone, kAll };

SigmoidTarget soft_ndcg_target(double sigma, const HeldOut& held, double a, double b,
                               Derivatives derivatives, Host& host);

// z_l = 2^l - 1 of so many grades.
std::vector<double> exponential_gains(std::size_t grades);

}  // namespace rankmix::calibrate
