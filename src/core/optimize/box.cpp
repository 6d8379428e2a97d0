#include "core/optimize/box.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::optimize {
namespace {

constexpr double kEnough = 1e-4;  // fraction of the decrease that the derivative predicts
constexpr std::size_t kMaxCuts = 30;

class InverseHessian {
 public:
  explicit InverseHessian(std::size_t size) : size_(size), h_(size * size) { reset(1.0); }

  void reset(double times) {
    std::fill(h_.begin(), h_.end(), 0.0);
    for (std::size_t i = 0; i < size_; ++i) {
      h_[i * size_ + i] = times;
    }
    fresh_ = true;
  }

  // The descent direction of the unknowns that are not held at a bound.
  Vector direction(const Vector& gradient, const std::vector<bool>& held) const {
    Vector d(size_, 0.0);
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        if (!held[i] && !held[j]) {
          d[i] -= h_[i * size_ + j] * gradient[j];
        }
      }
    }
    return d;
  }

  void update(const Vector& step, const Vector& change) {
    const double along = dot(step, change);
    const double own = dot(change, change);
    if (!(along > 1e-12 * std::sqrt(dot(step, step) * own))) {
      return;
    }
    if (fresh_) {
      reset(along / own);
      fresh_ = false;
    }
    Vector moved(size_, 0.0);  // H y
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        moved[i] += h_[i * size_ + j] * change[j];
      }
    }
    const double curvature = 1.0 + dot(change, moved) / along;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        h_[i * size_ + j] +=
            (curvature * step[i] * step[j] - moved[i] * step[j] - step[i] * moved[j]) /
            along;
      }
    }
  }

  bool fresh() const { return fresh_; }

 private:
  std::size_t size_;
  Vector h_;
  bool fresh_ = true;  // no update since the last reset
};

std::vector<bool> held_by_bounds(const Vector& point, const Vector& gradient,
                                 const Vector& lower, const Vector& upper) {
  std::vector<bool> held(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    held[i] = (point[i] <= lower[i] && gradient[i] > 0.0) ||
              (point[i] >= upper[i] && gradient[i] < 0.0);
  }
  return held;
}

Vector stepped(const Vector& point, const Vector& direction, double times,
               const Vector& lower, const Vector& upper) {
  Vector next(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    next[i] = std::min(upper[i], std::max(lower[i], point[i] + times * direction[i]));
  }
  return next;
}

}  // namespace

BoxMinimum minimise_in_box(const Evaluate& evaluate, Vector start, const Vector& lower,
                           const Vector& upper, const BoxOptions& options) {
  const std::size_t size = start.size();
  if (lower.size() != size || upper.size() != size) {
    throw InvalidArgument("bounds and unknowns differ in number");
  }
  BoxMinimum at;
  at.point = stepped(start, Vector(size, 0.0), 0.0, lower, upper);
  Vector gradient(size);
  Vector next_gradient(size);
  at.value = evaluate(at.point, gradient);
  InverseHessian inverse(size);
  bool was_little = false;
  for (std::size_t step = 0; step < options.max_steps; ++step) {
    const std::vector<bool> held = held_by_bounds(at.point, gradient, lower, upper);
    Vector direction = inverse.direction(gradient, held);
    double derivative = dot(direction, gradient);
    if (!(derivative < 0.0) && !inverse.fresh()) {
      inverse.reset(1.0);
      direction = inverse.direction(gradient, held);
      derivative = dot(direction, gradient);
    }
    if (!(-derivative > options.tolerance * std::abs(at.value))) {
      at.status = std::isfinite(derivative) ? Status::kConverged : Status::kStalled;
      return at;
    }
    double times = 1.0;
    if (inverse.fresh()) {
      double largest = 0.0;
      for (const double d : direction) {
        largest = std::max(largest, std::abs(d));
      }
      times = std::min(1.0, options.first_step / largest);
    }
    bool fell = false;
    Vector next;
    double value = at.value;
    for (std::size_t cut = 0; cut < kMaxCuts && !fell; ++cut) {
      next = stepped(at.point, direction, times, lower, upper);
      value = evaluate(next, next_gradient);
      Vector moved(size);
      for (std::size_t i = 0; i < size; ++i) {
        moved[i] = next[i] - at.point[i];
      }
      fell = value <= at.value + kEnough * std::min(0.0, dot(moved, gradient));
      if (!fell) {
        // The minimum of the parabola, restricted to [0.1, 0.5] of the step.
        const double best =
            -0.5 * derivative * times / ((value - at.value) / times - derivative);
        times = std::isfinite(best) ? std::min(0.5 * times, std::max(0.1 * times, best))
                                    : 0.1 * times;
      }
    }
    if (!fell) {
      if (inverse.fresh()) {
        at.status = Status::kStalled;
        return at;
      }
      inverse.reset(1.0);
      continue;
    }
    Vector moved(size);
    Vector change(size);
    for (std::size_t i = 0; i < size; ++i) {
      moved[i] = next[i] - at.point[i];
      change[i] = next_gradient[i] - gradient[i];
    }
    const double gained = at.value - value;
    at.point = next;
    at.value = value;
    gradient = next_gradient;
    inverse.update(moved, change);
    // A small decrease may come from an estimate of the Hessian that belongs to another
    // part of the box. So the solver stops only after two small decreases in a row, the
    // second with a new estimate.
    const bool little = gained <= options.tolerance * std::abs(value);
    if (little && was_little) {
      at.status = Status::kConverged;
      return at;
    }
    if (little) {
      inverse.reset(1.0);
    }
    was_little = little;
  }
  return at;
}

}  // namespace rankmix::optimize
