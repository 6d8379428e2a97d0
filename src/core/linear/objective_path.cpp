#include "core/linear/objective_path.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/errors.h"
#include "core/base/rounding.h"
#include "core/base/sort.h"
#include "core/objective/evaluate.h"

namespace rankmix::linear {
namespace {

using objective::PairLoss;
using objective::Pairwise;
using objective::PairwiseOptions;
using optimize::dot;
using optimize::Status;
using optimize::Vector;

// The loss at weights of 0, and the norm of its gradient.
struct AtZero {
  double value = 0.0;
  double gradient_norm = 0.0;
};

// A second criterion, relative to the gradient at weights of 0. For a cost near 0, the
// gap is already small at weights of 0, with which all documents tie.
double small_gradient(const PathOptions& options, double cost,
                      double gradient_norm_at_zero) {
  return std::sqrt(options.tolerance) * cost * gradient_norm_at_zero;
}

Status status_of(const ObjectiveStep& step, const PathOptions& options) {
  if (step.gap <= options.tolerance * step.value) {
    return Status::kConverged;
  }
  return step.steps < options.max_steps ? Status::kStalled : Status::kLimit;
}

ObjectiveStep smooth_step(ObjectiveFit& fit, const objective::Objective& on, double cost,
                          const AtZero& zero, const PathOptions& options, Host& host) {
  ObjectiveStep step;
  const double small = small_gradient(options, cost, zero.gradient_norm);
  FitOptions how{cost, options.max_steps, 0.0, {}};
  if (on.traits().cancels) {
    how.rounding = rounding_of(cost * zero.value);
  }
  how.enough = [&](double value) {
    return std::min(small, std::sqrt(2.0 * options.tolerance * value));
  };
  const optimize::Descent descent = fit.minimise(on, how, host, [&](const FitState& at) {
    const double norm = at.descent.gradient_norm;
    return 0.5 * norm * norm <= options.tolerance * at.descent.value && norm <= small;
  });
  step.weights = fit.weights();
  step.value = descent.value;
  step.gap = 0.5 * descent.gradient_norm * descent.gradient_norm;
  step.steps = descent.steps;
  step.products = descent.products;
  step.status = status_of(step, options);
  return step;
}

// The sum of the hinge loss over pairs.
double hinge_sum(const PairwiseOptions& pairs, double margin,
                 const objective::Documents& documents, const Vector& scores,
                 Vector& buffer, Host& host) {
  PairwiseOptions hinge = pairs;
  hinge.loss = PairLoss::kHinge;
  hinge.margin = margin;
  buffer.resize(scores.size());
  return objective::evaluate(Pairwise(hinge), documents, scores, host,
                             {{buffer.data(), buffer.size()}, {}});
}

// The best bounds of F with the hinge so far.
struct Bounds {
  double primal = std::numeric_limits<double>::infinity();
  double dual = -std::numeric_limits<double>::infinity();
  Vector weights;  // weights with the value `primal`
  double gap() const { return primal - dual; }
};

// Updates the bounds. Returns the part of the gap that remains at the minimum of the
// smooth hinge: the gap minus |gradient|^2 / 2.
double look(const FitState& at, const PairwiseOptions& smooth, double cost,
            const objective::Documents& documents, Vector& buffer, Host& host,
            Bounds& best) {
  const double hinge =
      hinge_sum(smooth, smooth.margin, documents, at.scores, buffer, host);
  // a is the negative derivative of the smooth hinge. It equals the difference of two
  // hinges divided by the width.
  const double inner =
      hinge_sum(smooth, smooth.margin - smooth.width, documents, at.scores, buffer, host);
  const double sum_of_a = (hinge - inner) / smooth.width;
  const double square = dot(at.weights, at.weights);
  const double norm = at.descent.gradient_norm;
  // The gradient is v - cost * sum w a (z_i - z_j).
  const double dual =
      cost * sum_of_a - 0.5 * (norm * norm - 2.0 * dot(at.gradient, at.weights) + square);
  const double primal = 0.5 * square + cost * hinge;
  if (primal < best.primal) {
    best.primal = primal;
    best.weights = at.weights;
  }
  best.dual = std::max(best.dual, dual);
  return primal - dual - 0.5 * norm * norm;
}

ObjectiveStep hinge_step(ObjectiveFit& fit, const PairwiseOptions& pairs, double cost,
                         const AtZero& zero, const PathOptions& options, Host& host) {
  constexpr double widest = 0.5;
  constexpr double narrower = 0.3;
  constexpr double least = 1e-9;  // of margins; less is near their rounding errors
  // The next width starts when |gradient|^2 / 2 is at most this fraction of the rest of
  // the gap.
  constexpr double enough = 0.3;
  ObjectiveStep step;
  Bounds best;
  Vector buffer;
  const double small = small_gradient(options, cost, zero.gradient_norm);
  PairwiseOptions smooth = pairs;
  smooth.loss = PairLoss::kSmoothHinge;
  smooth.width = widest;
  const auto finished = [&] { return best.gap() <= options.tolerance * best.primal; };
  for (bool over = false; !over; smooth.width *= narrower) {
    const Pairwise on(smooth);
    const optimize::Descent descent = fit.minimise(
        on, {cost, options.max_steps - step.steps, 0.0, {}}, host,
        [&](const FitState& at) {
          const double norm = at.descent.gradient_norm;
          const double rest = look(at, smooth, cost, fit.documents(), buffer, host, best);
          return norm <= small && (finished() || 0.5 * norm * norm <= enough * rest);
        });
    step.steps += descent.steps;
    step.products += descent.products;
    over = finished() || descent.status == Status::kLimit || smooth.width < least;
  }
  if (best.weights.empty()) {
    throw InvalidArgument(
        "features or weights are too large for a support vector machine");
  }
  step.weights = best.weights;
  step.value = best.primal;
  step.gap = std::max(0.0, best.gap());
  step.status = status_of(step, options);
  return step;
}

using Solve =
    std::function<ObjectiveStep(ObjectiveFit& fit, double cost, const AtZero& zero)>;

std::vector<ObjectiveStep> path_of(const Features& features,
                                   const objective::Documents& documents,
                                   const objective::Objective& on,
                                   View<const double> costs, const PathOptions& options,
                                   Host& host, const Solve& solve) {
  options.validate();
  objective::check_documents(on, documents);
  if (features.rows() != documents.rows() || features.scaling().bias) {
    throw InvalidArgument("features and documents of a linear model do not fit");
  }
  for (double cost : costs) {
    if (!(cost >= 0.0) || std::isinf(cost)) {
      throw InvalidArgument("costs must be finite, 0 or above");
    }
  }
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order, [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
  ObjectiveFit fit(features, documents);
  Vector gradients(features.rows(), 0.0);
  AtZero zero;
  zero.value = objective::evaluate(on, documents, Vector(features.rows(), 0.0), host,
                                   {{gradients.data(), gradients.size()}, {}});
  zero.gradient_norm = optimize::norm(features.multiply_transposed(gradients, 1, host));
  if (!std::isfinite(zero.value) || !std::isfinite(zero.gradient_norm)) {
    throw InvalidArgument("features, relevance or weights are too large for this loss");
  }
  const Scaling& scaling = features.scaling();
  std::vector<ObjectiveStep> path(costs.size());
  std::size_t done = 0;
  for (std::size_t at : order) {
    ObjectiveStep& step = path[at];
    // Weights of 0 are the minimum if the cost or the gradient at 0 is 0.
    step.weights.assign(features.inputs(), 0.0);
    step.value = costs[at] * zero.value;
    step.status = Status::kConverged;
    if (costs[at] > 0.0 && zero.gradient_norm > 0.0) {
      step = solve(fit, costs[at], zero);
    }
    for (std::size_t j = 0; j < step.weights.size(); ++j) {
      step.weights[j] *= scaling.factor[j];
    }
    host.progress(++done, path.size());
  }
  return path;
}

}  // namespace

void PathOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance <= 1.0) || max_steps < 1) {
    throw InvalidArgument("impossible options of a path of linear models");
  }
}

std::vector<ObjectiveStep> objective_path(const Features& features,
                                          const objective::Documents& documents,
                                          const objective::Objective& on,
                                          View<const double> costs,
                                          const PathOptions& options, Host& host) {
  return path_of(features, documents, on, costs, options, host,
                 [&](ObjectiveFit& fit, double cost, const AtZero& zero) {
                   return smooth_step(fit, on, cost, zero, options, host);
                 });
}

std::vector<ObjectiveStep> hinge_path(const Features& features,
                                      const objective::Documents& documents,
                                      const objective::PairwiseOptions& pairs,
                                      View<const double> costs,
                                      const PathOptions& options, Host& host) {
  PairwiseOptions hinge = pairs;
  hinge.loss = PairLoss::kHinge;
  return path_of(features, documents, Pairwise(hinge), costs, options, host,
                 [&](ObjectiveFit& fit, double cost, const AtZero& zero) {
                   return hinge_step(fit, hinge, cost, zero, options, host);
                 });
}

}  // namespace rankmix::linear
