// Sigmoid calibration: grade probabilities from discriminants.
//
//   s(f) = 1 / (1 + exp(-a (f - b))),   p_l(x) = s(f_l(x)) / sum_m s(f_m(x))
//
// and the log-sigmoid target L(a, b) = - sum_i w_i log p_(l_i)(x_i), which is what (a, b)
// minimise; w_i are weights of documents. Source: Busa-Fekete et al. 2013,
// doi:10.1007/s10994-013-5360-9, (13), (15).
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

struct SigmoidTarget {
  double value = 0.0;
  double da = 0.0;  // derivatives
  double db = 0.0;
};

// `f` is documents x grades; `weights` may be empty: all are 1.
SigmoidTarget log_sigmoid(MatrixView<const double> f, View<const int> grades,
                          View<const double> weights, double a, double b, Host& host);

// Probabilities, documents x grades. Rows sum to 1 even where all s underflow.
void sigmoid_probabilities(MatrixView<const double> f, double a, double b, Host& host,
                           MatrixView<double> out);

}  // namespace rankmix::calibrate
