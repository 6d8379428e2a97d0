// Problem:   regression by a network of five logistic hidden units and a linear output,
//            on standardised discriminants. It minimises sum_i w_i (y_i - yhat_i)^2 +
//            decay |weights|^2.
// Algorithm: see core/network/single_layer_fit.h. Training stops when a step lowers the
//            objective by less than 1e-5 of its value, or after 50 steps. At most 8,192
//            documents are used.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/calibrate/holdout.h"
#include "core/calibrate/standard_scale.h"

namespace rankmix::calibrate {

struct Network {
  StandardScale scale;
  double size = 1.0;           // divisor of the targets
  std::vector<double> hidden;  // (1 + inputs) x units, intercepts first
  std::vector<double> output;  // intercept, then one weight for each unit
  bool converged = false;

  std::size_t units() const { return output.size() - 1; }
  // Predictions for rows [begin, end) of f. out[0] is the prediction for row `begin`.
  void values(MatrixView<const double> f, std::size_t begin, std::size_t end,
              double* out) const;
};

// `start` has the starting weights: first of each hidden unit, then of the output.
Network fit_network(const HeldOut& held, View<const double> targets, double decay,
                    const std::vector<double>& start, Host& host);

}  // namespace rankmix::calibrate
