#include "core/optimize/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>

#include "core/base/dense.h"

namespace rankmix::optimize {
namespace {

constexpr double kFirstDamping = 1e-2;
constexpr double kLargestDamping = 1e12;

// The point after a step, and the decrease that the quadratic model predicts.
struct Trial {
  Vector point;
  double value = INFINITY;
  double predicted = 0.0;
  bool found = false;  // false if the damped Hessian is not positive definite
};

Trial try_step(DampedFunction& function, const Vector& point, const DampedSystem& system,
               double damping) {
  const std::size_t size = point.size();
  Vector damped = system.half_hessian;
  for (std::size_t j = 0; j < size; ++j) {
    double& diagonal = damped[j * size + j];
    diagonal = system.scale[j] * (1.0 + damping) + (diagonal - system.scale[j]);
  }
  Vector move = system.downhill;
  Trial trial{point};
  trial.found = dense::solve_positive(damped, move);
  if (trial.found) {
    for (std::size_t j = 0; j < size; ++j) {
      trial.point[j] += move[j];
      trial.predicted +=
          move[j] * (damping * system.scale[j] * move[j] + system.downhill[j]);
    }
    trial.value = function.value(trial.point);
  }
  return trial;
}

// The factor of the damping after a kept step. `fraction` is its decrease divided by the
// predicted decrease.
double damping_factor(double fraction) {
  const double cube = 2.0 * fraction - 1.0;
  return std::max(1.0 / 3.0, 1.0 - cube * cube * cube);
}

}  // namespace

LevenbergEnd minimise_damped(DampedFunction& function, const LevenbergOptions& options,
                             Vector& point) {
  LevenbergEnd end;
  end.value = function.value(point);
  double damping = kFirstDamping;
  double raise = 2.0;
  DampedSystem system;
  if (options.max_steps > 0) {
    function.find_system(point, system);
  }
  while (end.steps < options.max_steps && !end.converged) {
    ++end.steps;
    const Trial trial = try_step(function, point, system, damping);
    if (trial.value < end.value) {
      const double decrease = end.value - trial.value;
      damping *= damping_factor(decrease / trial.predicted);
      raise = 2.0;
      end.converged = decrease <= options.enough * end.value;
      end.value = trial.value;
      point = trial.point;
      if (!end.converged) {
        function.find_system(point, system);
      }
    } else {
      end.converged = damping > kLargestDamping ||
                      (trial.found && trial.predicted <= options.enough * end.value);
      damping *= raise;
      raise *= 2.0;
    }
  }
  return end;
}

}  // namespace rankmix::optimize
