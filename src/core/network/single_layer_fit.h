// Problem:   training of a single-layer network. It minimises
//            sum_i w_i loss(y_i, f_i) + decay |weights|^2, where f_i is the output.
// Algorithm: Levenberg-Marquardt from given starting weights. The squared error has the
//            approximate Hessian of Gauss-Newton. The cross-entropy has the exact Hessian.
//            Without second derivatives of outputs (Fisher scoring), training on noisy
//            pairs did not converge in 200 steps.
// Reference: Bishop 1992, doi:10.1162/neco.1992.4.4.494, for the exact Hessian.
// Cost:      O(rows * unknowns^2) for each step.
// Results are invariant to the number of threads.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/network/row_losses.h"
#include "core/network/single_layer.h"
#include "core/optimize/levenberg_marquardt.h"

namespace rankmix::network {

struct Examples {
  const InputRows& inputs;
  View<const double> targets;  // 0 or 1 for cross-entropy
  View<const double> weights;  // of the rows; empty: all are 1
};

struct SingleLayerOptions {
  RowLoss loss = RowLoss::kSquared;
  double decay = 0.0;
  optimize::LevenbergOptions steps;
};

struct SingleLayerFit {
  std::vector<double> weights;
  optimize::LevenbergEnd end;
};

// `start` has the starting weights of all units, then of the output. Throws
// InvalidArgument if numbers do not fit together.
SingleLayerFit fit_single_layer(const Examples& examples,
                                const SingleLayerOptions& options,
                                const std::vector<double>& start, Host& host);

}  // namespace rankmix::network
