// Linear models that make a smooth metric large, for a path of penalties (SmoothRank).
//
// Problem:   min over v of F(v) = penalty * |v - centre|^2 - sum_q w_q A_q(Z v, sigma)
// for
//            each penalty, with the features Z and the metric A of objective/smooth.h,
//            for one sigma after the other.
// Result:    where each stage ended: a local minimum, as far as it was come.
// Algorithm: each stage begins where the one before ended, the first one at `start`;
//            conjugate gradients (Polak & Ribiere) whose steps look at scores along a
//            line only. Where all documents of each query tie, as with weights of 0, the
//            gradient is 0, which is seldom a minimum: there the way along the gains is
//            tried.
// Cost:      an iteration is two passes over the features, and two or three over the
//            metric.
// Penalties go side by side where the data are small, else queries and rows do.
// Reference: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3, (13) and algorithm 1.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/objective/smooth.h"
#include "core/optimize/status.h"
#include "core/optimize/vectors.h"

namespace rankmix::linear {

struct SmoothPathOptions {
  // A stage has converged where its last few steps have lowered F by no more than this
  // times the total weight of the queries.
  double tolerance = 1e-4;
  std::size_t max_steps = 200;  // of a stage
  void validate() const;
};

struct SmoothStage {
  optimize::Vector weights;  // of the features as they are
  double objective = 0.0;    // F
  double metric = 0.0;       // the sum of w_q A_q
  std::size_t steps = 0;
  std::size_t evaluations = 0;
  optimize::Status status = optimize::Status::kLimit;
};

// Where to begin, and what weights are pulled to, both of the features as they are.
struct SmoothStart {
  View<const double> start;
  View<const double> centre;
};

// `stages` of `on` for each penalty. The targets of the documents are gains.
std::vector<std::vector<SmoothStage>> smooth_path(
    const Features& features, const objective::Documents& documents,
    const objective::Smooth& on, const SmoothStart& start, View<const double> penalties,
    const SmoothPathOptions& options, Host& host);

}  // namespace rankmix::linear
