// Linear models of an objective for a path of costs, each with a bound of how far it is
// from the minimum.
//
// Problem:   F(v) = 1/2 |v|^2 + cost * L(Z v), see objective_fit.h, for each cost.
// Result:    weights, F, and a gap: what F is above the minimum at most.
// Algorithm: from the smallest cost on, each from where the last one ended. The hinge of
//            pairs, which has no second derivative, is approached by smooth hinges of
//            ever smaller width, whose gradients are -a_ij in [0, 1], a point of the dual
//              D(a) = cost * sum_ij w_ij a_ij - 1/2 |cost * sum_ij w_ij a_ij (z_i -
//              z_j)|^2
//            over pairs ij of weights w_ij: the gap F(v) - D(a) is of the hinge itself,
//            and at the minimum of a smooth hinge below F times its width.
// Reference: Nesterov 2005, doi:10.1007/s10107-004-0552-5; of the dual Joachims 2002,
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
  double tolerance = 1e-6;  // largest gap, relative to F
  std::size_t max_steps = 500;
  void validate() const;
};

struct ObjectiveStep {
  optimize::Vector weights;  // of the features as they are
  double value = 0.0;        // F
  double gap = 0.0;
  std::size_t steps = 0;     // Newton's
  std::size_t products = 0;  // with the Hessian
  optimize::Status status = optimize::Status::kLimit;
};

// In the order of the costs, each 0 or above. Progress is reported cost by cost.
std::vector<ObjectiveStep> objective_path(const Features& features,
                                          const objective::Documents& documents,
                                          const objective::Objective& on,
                                          View<const double> costs,
                                          const PathOptions& options, Host& host);
// Of the hinge, whatever loss is asked for.
std::vector<ObjectiveStep> hinge_path(const Features& features,
                                      const objective::Documents& documents,
                                      const objective::PairwiseOptions& pairs,
                                      View<const double> costs,
                                      const PathOptions& options, Host& host);

}  // namespace rankmix::linear
