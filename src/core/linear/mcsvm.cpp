#include "core/linear/mcsvm.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/linear/simplex.h"
#include "core/optimize/newton.h"

namespace rankmix::linear {
namespace {

using optimize::dot;
using optimize::Status;

constexpr std::size_t kMaxClasses = 31;

std::size_t checked_classes(std::size_t classes) {
  if (classes < 2 || classes > kMaxClasses) {
    throw InvalidArgument("the number of grades must be between 2 and 31");
  }
  return classes;
}

}  // namespace

void McsvmOptions::validate() const {
  if (!(cost > 0.0) || !std::isfinite(cost) || !(tolerance > 0.0) || max_steps < 1) {
    throw InvalidArgument("impossible options of mcsvm");
  }
}

Mcsvm::LossSums& Mcsvm::LossSums::operator+=(const LossSums& other) {
  loss += other.loss;
  smoothed += other.smoothed;
  dual += other.dual;
  derivative += other.derivative;
  return *this;
}

Mcsvm::Mcsvm(const Features& features, View<const int> grades, View<const double> weights,
             std::size_t classes)
    : features_(features),
      classes_(classes),
      grades_(grades.begin(), grades.end()),
      weights_of_(weights.begin(), weights.end()),
      weights_(features.inputs() * checked_classes(classes), 0.0),
      products_(features.rows() * classes, 0.0),
      duals_(features.rows() * classes, 0.0),
      centers_(features.rows() * classes, 0.0),
      supports_(features.rows(), 0U) {
  if (std::any_of(grades.begin(), grades.end(), [&](int grade) {
        return grade < 0 || static_cast<std::size_t>(grade) >= classes;
      })) {
    throw InvalidArgument("a grade is not among the classes");
  }
  if (grades.size() != features.rows() ||
      (!weights.empty() && weights.size() != features.rows())) {
    throw InvalidArgument("grades, weights and features differ in the number of rows");
  }
}

Mcsvm::LossSums Mcsvm::update_duals(double cost, double delta,
                                    const std::vector<double>& along, double t,
                                    Host& host) {
  const std::size_t classes = classes_;
  auto update = [&](std::size_t i, LossSums& sums) {
    const std::size_t grade = grades_[i];
    const double c = cost * weight(i);
    const double* z = products_.data() + i * classes;
    const double* center = centers_.data() + i * classes;
    const double* d = along.empty() ? nullptr : along.data() + i * classes;
    double margins[kMaxClasses + 1];
    double scaled[kMaxClasses + 1];
    double a[kMaxClasses + 1];
    // Prevents warnings, because compilers cannot see that there is at least one class.
    margins[0] = 0.0;
    scaled[0] = 0.0;
    double most = -1e300;
    for (std::size_t m = 0; m < classes; ++m) {
      margins[m] = z[m] + (d == nullptr ? 0.0 : t * d[m]) + (m == grade ? 0.0 : 1.0);
      most = std::max(most, margins[m]);
    }
    for (std::size_t m = 0; m < classes; ++m) {
      // The projection does not depend on a common shift; subtracting the maximum limits
      // rounding.
      scaled[m] = center[m] + (margins[m] - most) / delta;
    }
    project_to_simplex(scaled, classes, a);
    const double own = margins[grade];
    double linear = 0.0;
    double square = 0.0;
    double derivative = d == nullptr ? 0.0 : -d[grade];
    std::uint32_t support = 0;
    for (std::size_t m = 0; m < classes; ++m) {
      linear += a[m] * margins[m];
      square += (a[m] - center[m]) * (a[m] - center[m]);
      derivative += d == nullptr ? 0.0 : a[m] * d[m];
      support |= a[m] > 0.0 ? std::uint32_t{1} << m : 0U;
      duals_[i * classes + m] = c * (a[m] - (m == grade ? 1.0 : 0.0));
    }
    supports_[i] = support;
    sums.loss += c * (most - own);
    sums.smoothed += c * (linear - own - 0.5 * delta * square);
    sums.dual += c * (1.0 - a[grade]);
    sums.derivative += c * derivative;
  };
  return sum_over_blocks<LossSums>(host, features_.rows(),
                                   [&](std::size_t begin, std::size_t end) {
                                     LossSums sums;
                                     for (std::size_t i = begin; i < end; ++i) {
                                       update(i, sums);
                                     }
                                     return sums;
                                   });
}

class Mcsvm::SmoothedProblem : public optimize::Function {
 public:
  SmoothedProblem(Mcsvm& of, double cost, double delta, Host& host)
      : of_(of), cost_(cost), delta_(delta), host_(host) {}

  const Bounds& bounds() const { return bounds_; }
  const std::vector<double>& point() const override { return of_.weights_; }

  double evaluate(std::vector<double>& gradient) override {
    if (!fresh_) {
      sums_ = of_.update_duals(cost_, delta_, {}, 0.0, host_);
      fresh_ = true;
    }
    const std::vector<double>& weights = of_.weights_;
    gradient = of_.features_.multiply_transposed(of_.duals_, of_.classes_, host_);
    const double square = dot(weights, weights);
    bounds_.primal = 0.5 * square + sums_.loss;
    bounds_.dual = sums_.dual - 0.5 * dot(gradient, gradient);
    optimize::add(1.0, weights, gradient);
    bounds_.gap_of_gradient = 0.5 * dot(gradient, gradient);
    bounds_.gap_of_smoothing = bounds_.primal - bounds_.dual - bounds_.gap_of_gradient;
    return 0.5 * square + sums_.smoothed;
  }

  void set_direction(const std::vector<double>& direction) override {
    direction_ = direction;
    of_.features_.multiply(direction, of_.classes_, along_, host_);
    square_ = dot(of_.weights_, of_.weights_);
    straight_ = dot(of_.weights_, direction);
    curved_ = dot(direction, direction);
  }

  optimize::LinePoint along(double step) override {
    sums_ = of_.update_duals(cost_, delta_, along_, step, host_);
    fresh_ = false;
    step_of_sums_ = step;
    return {
        step,
        sums_.smoothed + 0.5 * square_ + step * straight_ + 0.5 * step * step * curved_,
        sums_.derivative + straight_ + step * curved_};
  }

  void move(double step) override {
    fresh_ = step == step_of_sums_;
    optimize::add(step, direction_, of_.weights_);
    const std::size_t classes = of_.classes_;
    for_each_block(host_, of_.features_.rows(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin * classes; i < end * classes; ++i) {
                       of_.products_[i] += step * along_[i];
                     }
                   });
  }

 private:
  Mcsvm& of_;
  double cost_;
  double delta_;
  Host& host_;
  std::vector<double> direction_;
  std::vector<double> along_;  // products of the features with the direction
  // Coefficients of |W|^2 as a function of the step.
  double square_ = 0.0;
  double straight_ = 0.0;
  double curved_ = 0.0;
  LossSums sums_;
  double step_of_sums_ = 0.0;
  bool fresh_ = false;  // the sums and duals belong to the current weights
  Bounds bounds_;
};

// Sets the centers b to the current a.
void Mcsvm::move_centers(double cost, Host& host) {
  for_each_block(host, features_.rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const double c = cost * weight(i);
                     for (std::size_t m = 0; c > 0.0 && m < classes_; ++m) {
                       centers_[i * classes_ + m] =
                           duals_[i * classes_ + m] / c + (m == grades_[i] ? 1.0 : 0.0);
                     }
                   }
                 });
}

McsvmModel Mcsvm::solve(const McsvmOptions& options, Host& host) {
  options.validate();
  // Margins differ by about 1. Centers from a previous cost are closer, so less smoothing
  // is needed.
  double delta = started_ ? 0.2 : 1.0;
  started_ = true;
  constexpr double fast = 0.2;
  constexpr double slow = 0.5;
  constexpr double enough = 0.3;       // largest gap_of_gradient / gap_of_smoothing
  constexpr double min_delta = 1e-12;  // of margins; less is near their rounding errors
  // The gap is an upper bound of the distance from the minimum, but of the same order of
  // magnitude. So the solver aims at a tenth of the tolerance.
  constexpr double aim = 0.1;
  McsvmModel model;
  const auto gap_below = [&](double fraction) {
    return model.primal - model.dual <= fraction * options.tolerance * model.primal;
  };
  optimize::DescentOptions newton;
  newton.tolerance = 0.0;
  newton.search = optimize::Search::kBacktrack;
  newton.line.most = 30;
  for (bool finished = false; !finished;) {
    SmoothedProblem problem(*this, options.cost, delta, host);
    newton.max_steps = options.max_steps - model.steps;
    const optimize::Descent inner = optimize::minimise_newton(
        problem,
        [&](const std::vector<double>& gradient) {
          return newton_direction(options.cost, delta, gradient, host);
        },
        newton, host,
        [&](const optimize::Descent&) {
          const Bounds& at = problem.bounds();
          if (at.primal < model.primal) {
            model.primal = at.primal;
            model.weights = weights_;
          }
          model.dual = std::max(model.dual, at.dual);
          finished = gap_below(aim) || delta < min_delta;
          return finished || at.gap_of_gradient <= enough * at.gap_of_smoothing;
        });
    model.steps += inner.steps;
    finished = finished || inner.status != Status::kConverged ||
               model.steps == options.max_steps;
    if (!finished) {
      move_centers(options.cost, host);
      delta *= delta > 0.5 ? fast : slow;
    }
  }
  if (model.weights.empty()) {
    throw InvalidArgument(
        "features or weights are too large for a support vector machine");
  }
  if (gap_below(1.0)) {
    model.status = Status::kConverged;
  } else if (model.steps < options.max_steps) {
    model.status = Status::kStalled;
  }
  return model;
}

}  // namespace rankmix::linear
