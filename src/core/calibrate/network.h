// Problem:   a regression by five logistic units and a linear one, on standardised
//            discriminants: the least of sum_i w_i (y_i - yhat_i)^2 + decay |weights|^2.
// Algorithm: Levenberg and Marquardt from given starting weights, until a step gains less
//            than 1e-5 of the sum, 50 steps at most, on at most 8,192 documents.
// Reference: Nocedal & Wright 2006, section 10.3; Nielsen 1999 for the damping.
#pragma once
#include <vector>

#include "core/calibrate/holdout.h"
#include "core/calibrate/standard_scale.h"

namespace rankmix::calibrate {

struct Network {
  StandardScale scale;
  double size = 1.0;           // what the targets were divided by
  std::vector<double> hidden;  // (1 + inputs) x units, intercepts first
  std::vector<double> output;  // intercept, then a weight of each unit
  bool converged = false;

  std::size_t units() const { return output.size() - 1; }
  // Of rows [begin, end), which `out` begins with.
  void values(MatrixView<const double> f, std::size_t begin, std::size_t end,
              double* out) const;
};

// From starting weights: of the hidden units one after the other, then of the output.
Network fit_network(const HeldOut& held, View<const double> targets, double decay,
                    const std::vector<double>& start);

}  // namespace rankmix::calibrate
