#include "core/optimize/nonlinear_cg.h"

#include <algorithm>

#include "core/base/errors.h"

namespace rankmix::optimize {
namespace {

class PolakRibiereRule : public DirectionRule {
 public:
  PolakRibiereRule(std::size_t restart_every, double first)
      : restart_every_(restart_every), first_(first) {}

  Vector direction(const Vector& gradient) override {
    Vector result = negative(gradient);
    if (!before_.empty()) {
      add(factor_, before_, result);
    }
    return result;
  }

  // The step for which the predicted decrease equals the predicted decrease of the last
  // step.
  double trial_step(const Vector& gradient, double derivative) override {
    return gain_ < 0.0    ? gain_ / derivative
           : first_ > 0.0 ? first_
                          : first_step(gradient);
  }

  void learn(double step, const Vector& direction, const Vector& before,
             const Vector& after) override {
    gain_ = step * dot(before, direction);
    ++steps_;
    const double square = dot(before, before);
    factor_ = std::max(0.0, (dot(after, after) - dot(after, before)) / square);
    if (steps_ % restart_every_ == 0 || factor_ == 0.0) {
      before_.clear();
    } else {
      before_ = direction;
    }
  }

  bool restart() override {
    const bool had = !before_.empty() || gain_ < 0.0;
    before_.clear();
    gain_ = 0.0;
    steps_ = 0;
    return had;
  }

 private:
  std::size_t restart_every_;
  double first_;
  std::size_t steps_ = 0;
  Vector before_;  // the last direction; empty: follow the gradient
  double factor_ = 0.0;
  double gain_ = 0.0;  // last step times its directional derivative
};

}  // namespace

void NonlinearCgOptions::validate() const {
  descent.validate();
  if (!(first_step >= 0.0)) {
    throw InvalidArgument("impossible options of conjugate gradients");
  }
}

Descent minimise_nonlinear_cg(Function& function, const NonlinearCgOptions& options,
                              Host& host, const Stop& stop) {
  options.validate();
  PolakRibiereRule rule(options.restart_every > 0
                            ? options.restart_every
                            : std::max<std::size_t>(1, function.point().size()),
                        options.first_step);
  return descend(function, rule, options.descent, host, stop);
}

}  // namespace rankmix::optimize
