// Problem:   the (a, b) of sigmoid calibration that minimise a target, see sigmoid.h and
//            soft_ndcg.h. No target is convex.
// Algorithm: with m and s the mean and standard deviation of all discriminants, the
//            unknowns are log(a s), between -6 and 6, and (b - m) / s, between -10 and
//            10. Targets are looked at on a grid, on about 1,000 documents where there
//            are more; from the three best points that are lower than those around them
//            they are minimised within the box, on about 4,000 documents, and the best
//            continues on all. The soft NDCG has many small dips: it starts from the best
//            points of finer grids around the best of the first.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/calibrate/holdout.h"
#include "core/calibrate/sigmoid.h"

namespace rankmix::calibrate {

struct SigmoidFit {
  double a = 1.0;
  double b = 0.0;
  double value = 0.0;
  bool converged = false;
};

// Of each of some losses, which share the grid. `exponent` is C of the entropy-weighted.
std::vector<SigmoidFit> fit_sigmoids(const std::vector<SigmoidLoss>& losses,
                                     double exponent, const HeldOut& held, Host& host);

SigmoidFit fit_soft_ndcg(double sigma, const HeldOut& held, Host& host);

}  // namespace rankmix::calibrate
