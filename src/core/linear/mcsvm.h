// The linear multi-class support vector machine of Crammer & Singer.
//
// Problem:   min over W of P(W) = 1/2 |W|^2 + C sum_i c_i max_m (w_m.x_i - w_{y_i}.x_i +
//            [m != y_i]), with a weight c_i of each document.
// Dual:      D(a) = -1/2 |V|^2 + C sum_i c_i sum_{m != y_i} a_im, with V_m = C sum_i c_i
//            ([m = y_i] - a_im) x_i, over a_i in the probability simplex of the classes.
// Algorithm: the maximum is smoothed to
//              max over a of a.(z + 1 - e_y) - delta/2 |a - b|^2.
//            The maximising a is the projection of b + (z + 1 - e_y) / delta to the
//            simplex. It is a feasible point of the dual. Newton's method minimises the
//            smoothed problem. Documents with a single positive a_im have a zero Hessian
//            and are left out of its matrix. Then the center b is set to a, and the
//            smoothed problem is solved again (method of multipliers). So a converges
//            without a tiny delta, which would force tiny Newton steps. The algorithm
//            ends when the duality gap P(W) - D(a) is small. The gap is always an upper
//            bound of the distance of P(W) from its minimum.
// Cost:      a Newton step is two passes over the features and the Gram matrix of the
//            documents with a nonzero Hessian, and (K p)^3 / 3 for its factors, or
//            conjugate gradients if K p is large.
// Reference: Crammer & Singer 2001, Journal of Machine Learning Research 2, 265-292.
//            Method of multipliers: Rockafellar 1976, doi:10.1287/moor.1.2.97.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/optimize/status.h"

namespace rankmix::linear {

struct McsvmOptions {
  double cost = 1.0;
  double tolerance = 1e-3;  // largest gap relative to P(W)
  std::size_t max_steps = 200;
  void validate() const;
};

struct McsvmModel {
  std::vector<double> weights;                              // inputs x K
  double primal = std::numeric_limits<double>::infinity();  // lowest P(W) so far
  double dual = -std::numeric_limits<double>::infinity();   // highest D(a) so far
  std::size_t steps = 0;
  optimize::Status status = optimize::Status::kLimit;
};

class Mcsvm {
 public:
  // `features` must outlive the object. If `weights` is empty, all documents have weight
  // 1.
  Mcsvm(const Features& features, View<const int> grades, View<const double> weights,
        std::size_t classes);
  // Starts from the weights of the previous call, or from 0.
  McsvmModel solve(const McsvmOptions& options, Host& host);

 private:
  // Sums over documents, each multiplied by c_i C.
  struct LossSums {
    double loss = 0.0;        // max_m (z_m + [m != y]) - z_y
    double smoothed = 0.0;    // the same expression with the smoothed maximum
    double dual = 0.0;        // sum_{m != y} a_m
    double derivative = 0.0;  // of the smoothed loss by the step along a direction
    LossSums& operator+=(const LossSums& other);
  };
  struct Bounds {
    double primal = 0.0;
    double dual = 0.0;
    double gap_of_gradient = 0.0;   // part of the gap from the gradient
    double gap_of_smoothing = 0.0;  // part of the gap from the smoothing
  };
  // The smoothed problem with fixed centers, as Newton's method minimises it.
  class SmoothedProblem;

  double weight(std::size_t i) const {
    return weights_of_.empty() ? 1.0 : weights_of_[i];
  }
  // Sets duals_ to c_i C (a_i - e_{y_i}) at the products z + t * along. If `along` is
  // empty, t must be 0.
  LossSums update_duals(double cost, double delta, const std::vector<double>& along,
                        double t, Host& host);
  std::vector<double> newton_direction(double cost, double delta,
                                       const std::vector<double>& gradient, Host& host);
  std::vector<double> solve_directly(double cost, double delta,
                                     const std::vector<std::uint32_t>& curved,
                                     double times, const std::vector<double>& gradient,
                                     Host& host);
  std::vector<double> solve_iteratively(double cost, double delta,
                                        const std::vector<std::uint32_t>& curved,
                                        double times, const std::vector<double>& gradient,
                                        Host& host);
  void move_centers(double cost, Host& host);
  // The documents with several positive a_im.
  std::vector<std::uint32_t> curved_rows(Host& host) const;

  const Features& features_;
  std::size_t classes_;
  std::vector<std::uint8_t> grades_;
  std::vector<double> weights_of_;
  std::vector<double> weights_;   // inputs x K
  std::vector<double> products_;  // z = X weights, rows x K
  std::vector<double> duals_;     // c_i C (a_i - e_{y_i}), rows x K
  std::vector<double> centers_;   // b_i, rows x K
  bool started_ = false;
  std::vector<std::uint32_t> supports_;  // bit m is set if a_im > 0
};

}  // namespace rankmix::linear
