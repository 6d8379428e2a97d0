// Linear models of an objective for several costs, each with a bound on its distance from
// the minimum.
//
// Problem:   F(v) = 1/2 |v|^2 + cost * L(Z v), see objective_fit.h, for each cost.
// Result:    weights, F, and the gap, an upper bound of F minus its minimum.
// Algorithm: costs in increasing order, each started at the previous solution. The hinge
//            of pairs has no second derivative. It is approximated by smooth hinges of
//            decreasing width. Their gradients are -a_ij with a_ij in [0, 1], a point of
//            the dual
//              D(a) = cost * sum_ij w_ij a_ij - 1/2 |cost * sum_ij w_ij a_ij (z_i -
//              z_j)|^2
//            over pairs ij of weights w_ij. So the gap F(v) - D(a) is the gap of the
//            hinge itself. At the minimum of a smooth hinge it is below F times the
//            width.
// Reference: Nesterov 2005, doi:10.1007/s10107-004-0552-5; for the dual Joachims 2002,
//            doi:10.1145/775047.775067.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/objective_fit.h"
#include "core/objective/pairwise.h"
#include "core/optimize/status.h"

namespace rankmix::linear {

struct PathOptions {
  double tolerance = 1e-6;  // largest gap relative to F
  std::size_t max_steps = 500;
  void validate() const;
};

struct ObjectiveStep {
  optimize::Vector weights;  // for unscaled features
  double value = 0.0;        // F
  double gap = 0.0;
  std::size_t steps = 0;     // Newton steps
  std::size_t products = 0;  // products with the Hessian
  optimize::Status status = optimize::Status::kLimit;
};

// The results are in the order of `costs`; each cost is 0 or above. Reports progress
// after each cost.
std::vector<ObjectiveStep> objective_path(const Features& features,
                                          const objective::Documents& documents,
                                          const objective::Objective& on,
                                          View<const double> costs,
                                          const PathOptions& options, Host& host);
// The path of the hinge loss. `pairs.loss` is ignored.
std::vector<ObjectiveStep> hinge_path(const Features& features,
                                      const objective::Documents& documents,
                                      const objective::PairwiseOptions& pairs,
                                      View<const double> costs,
                                      const PathOptions& options, Host& host);

}  // namespace rankmix::linear
