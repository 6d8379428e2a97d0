// Problem:   the (a, b) of sigmoid calibration that minimise a target, see sigmoid.h and
//            soft_ndcg.h. No target is convex.
// Algorithm: let m and s be the mean and standard deviation of all discriminants. The
//            unknowns are log(a s) in [-6, 6] and (b - m) / s in [-10, 10]. The target is
//            evaluated on a grid, on about 1,000 documents. From each of the three best
//            local minima of the grid, the target is minimised within the box, on about
//            4,000 documents. A minimisation on all documents then starts from the best
//            result. The soft NDCG has many small local minima. So its minimisations
//            start from the best points of finer grids around the best points of the
//            first grid.
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

// Fits one sigmoid for each loss. The losses share the grid. `exponent` is C of the
// entropy-weighted loss.
std::vector<SigmoidFit> fit_sigmoids(const std::vector<SigmoidLoss>& losses,
                                     double exponent, const HeldOut& held, Host& host);

SigmoidFit fit_soft_ndcg(double sigma, const HeldOut& held, Host& host);

}  // namespace rankmix::calibrate
