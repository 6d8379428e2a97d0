// Linear models that maximise a smooth metric, for several penalties (SmoothRank).
//
// Problem:   min over v of F(v) = penalty * |v - centre|^2 - sum_q w_q A_q(Z v, sigma)
//            for each penalty. Z are the features, and A is the metric of
//            objective/smooth.h. Each stage has its own sigma.
// Result:    the end of each stage: approximately a local minimum.
// Algorithm: each stage starts at the end of the previous one, the first one at `start`.
//            Conjugate gradients (Polak & Ribiere); the line search needs only scores. If
//            all documents of each query tie, as with weights of 0, the gradient is 0.
//            This point is rarely a minimum, so a step along the gains is tried.
// Cost:      an iteration is two passes over the features and two or three over the
//            metric.
// Penalties run in parallel if the data are small, else queries and rows.
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
  // A stage converges when its last five steps lowered F by at most this number times the
  // total weight of the queries.
  double tolerance = 1e-4;
  std::size_t max_steps = 200;  // in each stage
  void validate() const;
};

struct SmoothStage {
  optimize::Vector weights;  // for unscaled features
  double objective = 0.0;    // F
  double metric = 0.0;       // sum of w_q A_q
  std::size_t steps = 0;
  std::size_t evaluations = 0;
  optimize::Status status = optimize::Status::kLimit;
};

// The starting point and the centre of the penalty, both for unscaled features.
struct SmoothStart {
  View<const double> start;
  View<const double> centre;
};

// The stages of `on` for each penalty. The targets of the documents must be gains.
std::vector<std::vector<SmoothStage>> smooth_path(
    const Features& features, const objective::Documents& documents,
    const objective::Smooth& on, const SmoothStart& start, View<const double> penalties,
    const SmoothPathOptions& options, Host& host);

}  // namespace rankmix::linear
