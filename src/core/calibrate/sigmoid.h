// Sigmoid calibration: grade probabilities from discriminants.
//
//   s(f) = 1 / (1 + exp(-a (f - b))),   p_l(x) = s(f_l(x)) / sum_m s(f_m(x))
//
// and the targets that a fit minimises over (a, b). They are sums over documents i with
// grades l_i and weights w_i:
//   log-sigmoid           - w_i log p_(l_i)
//   entropy-weighted      - w_i log p_(l_i) H(p)^C,   H(p) = - sum_l p_l log p_l
//   expected loss         w_i sum_l (l - l_i)^2 p_l
//   expected label loss   w_i (sum_l l p_l - l_i)^2
// The soft NDCG is in soft_ndcg.h. Source: Busa-Fekete et al. 2013,
// doi:10.1007/s10994-013-5360-9, (13), (15) to (18).
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

struct SigmoidTarget {
  double value = 0.0;
  double da = 0.0;  // derivative of the value by a
  double db = 0.0;
  SigmoidTarget& operator+=(const SigmoidTarget& other);
};

enum class SigmoidLoss {
  kLogSigmoid,
  kEntropyWeighted,
  kExpectedLoss,
  kExpectedLabelLoss,
};
constexpr std::size_t kSigmoidLosses = 4;

// `f` is documents x grades. If `weights` is empty, all are 1. `exponent` is C of the
// entropy-weighted target.
SigmoidTarget sigmoid_target(SigmoidLoss loss, double exponent,
                             MatrixView<const double> f, View<const int> grades,
                             View<const double> weights, double a, double b, Host& host);

// The values of all losses, in the order of SigmoidLoss. Costs little more than one loss,
// because the probabilities are shared.
struct SigmoidValues {
  std::array<double, kSigmoidLosses> value{};
  SigmoidValues& operator+=(const SigmoidValues& other);
};
SigmoidValues sigmoid_values(double exponent, MatrixView<const double> f,
                             View<const int> grades, View<const double> weights, double a,
                             double b, Host& host);

// Throws InvalidArgument if grades or weights do not match the discriminants.
void check_judged(MatrixView<const double> f, View<const int> grades,
                  View<const double> weights);

// Probabilities, documents x grades. Rows sum to 1 even if all s(f_l) underflow.
void sigmoid_probabilities(MatrixView<const double> f, double a, double b, Host& host,
                           MatrixView<double> out);

// Scores sum_l gains_l p_l of rows [begin, end). out[0] is the score of row `begin`.
void sigmoid_scores(MatrixView<const double> f, View<const double> gains, double a,
                    double b, std::size_t begin, std::size_t end, double* out);

// Chain rule for a function of the scores of sigmoid_scores(). `gradients` has its
// derivatives by the scores of rows [begin, end). Returns its derivatives by a and b; the
// value is 0.
SigmoidTarget sigmoid_gradients(MatrixView<const double> f, View<const double> gains,
                                double a, double b, std::size_t begin, std::size_t end,
                                const double* gradients);

}  // namespace rankmix::calibrate
