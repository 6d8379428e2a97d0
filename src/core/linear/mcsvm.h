// The multi-class support vector machine of Crammer & Singer, linear.
//
// Problem:   min over W of P(W) = 1/2 |W|^2 + C sum_i c_i max_m (w_m.x_i - w_{y_i}.x_i +
//            [m != y_i]), with a weight c_i of each document.
// Dual:      D(a) = -1/2 |V|^2 + C sum_i c_i sum_{m != y_i} a_im, with V_m = C sum_i c_i
//            ([m = y_i] - a_im) x_i, over a_i in the probability simplex of the classes.
// Algorithm: the maximum is smoothed to max over a of a.(z + 1 - e_y) - delta/2 |a -
// b|^2,
//            whose a, the projection of b + (z + 1 - e_y) / delta to the simplex, is a
//            point of the dual. Newton's method minimises the smoothed problem; documents
//            with a single positive a_im have a hessian of 0 and are left out of its
//            matrix. Then the center b moves to a, and so on: the method of multipliers,
//            whose a nears the solution without a delta near 0, where Newton's steps
//            would be tiny. It ends when the duality gap P(W) - D(a) is small, which
//            bounds how far P(W) is from its minimum, whatever the algorithm did.
// Cost:      two passes over the features for a Newton step, and the Gram matrix of the
//            documents with a positive hessian; (K p)^3 / 3 for its factors, or conjugate
//            gradients where K p is large.
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
  double tolerance = 1e-3;  // largest gap, relative to P(W); a tenth of it is aimed at
  std::size_t max_steps = 200;
  void validate() const;
};

struct McsvmModel {
  std::vector<double> weights;                              // inputs x K
  double primal = std::numeric_limits<double>::infinity();  // the best seen, and the
  double dual = -std::numeric_limits<double>::infinity();   // best bound
  std::size_t steps = 0;
  optimize::Status status = optimize::Status::kLimit;
};

class Mcsvm {
 public:
  // `features` must outlive it. Weights of documents may be empty: all are 1.
  Mcsvm(const Features& features, View<const int> grades, View<const double> weights,
        std::size_t classes);
  // Starts from the weights of the last call, or from 0.
  McsvmModel solve(const McsvmOptions& options, Host& host);

 private:
  // Sums over documents, each times c_i C.
  struct LossSums {
    double loss = 0.0;        // max_m (z_m + [m != y]) - z_y
    double smoothed = 0.0;    // the same with the smoothed maximum
    double dual = 0.0;        // sum_{m != y} a_m
    double derivative = 0.0;  // of the smoothed loss along a direction
    LossSums& operator+=(const LossSums& other);
  };
  struct Bounds {
    double primal = 0.0;
    double dual = 0.0;
    double gap_of_gradient = 0.0;  // what of the gap comes from not being at the minimum,
    double gap_of_smoothing = 0.0;  // and from smoothing
  };
  // The smoothed problem with the centers as they are: what Newton's method minimises.
  class SmoothedProblem;

  double weight(std::size_t i) const {
    return weights_of_.empty() ? 1.0 : weights_of_[i];
  }
  // Finds a_i - e_{y_i} times c_i C for all documents at z + t * along, `along` empty for
  // t = 0.
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
  // Documents with several positive a_im.
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
  std::vector<std::uint32_t> supports_;  // bit m: a_im is positive
};

}  // namespace rankmix::linear
