#include "core/optimize/newton.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::optimize {
namespace {

class NewtonRule : public DirectionRule {
 public:
  NewtonRule(const Operator& hessian, const Operator& precondition,
             const NewtonOptions& options, Host& host)
      : hessian_(hessian),
        precondition_(precondition),
        options_(options),
        host_(host),
        forcing_(options.loosest) {}

  Vector direction(const Vector& gradient) override {
    Vector right = negative(gradient);
    if (along_gradient_) {
      return right;
    }
    const LinearSolution solution = conjugate_gradients(
        hessian_, right, {tolerance(norm(gradient)), options_.max_products}, host_,
        precondition_);
    products_ += solution.steps;
    return solution.x;
  }

  double trial_step(const Vector& gradient, double) override {
    return along_gradient_ ? first_step(gradient) : 1.0;
  }

  void learn(double, const Vector&, const Vector& before, const Vector& after) override {
    constexpr double fraction = 0.9;
    constexpr double ignored = 0.1;  // from here on the last tolerance is a lower bound
    const double ratio = norm(after) / norm(before);
    const double kept = fraction * forcing_ * forcing_;
    forcing_ = fraction * ratio * ratio;
    forcing_ = kept > ignored ? std::max(forcing_, kept) : forcing_;
    forcing_ = std::min(forcing_, options_.loosest);
    along_gradient_ = false;
  }

  bool restart() override {
    const bool other = !along_gradient_;
    along_gradient_ = true;
    return other;
  }

  std::size_t products() const { return products_; }

 private:
  double tolerance(double gradient_norm) const {
    constexpr double fraction = 0.2;  // of the norm that is small enough
    constexpr double loosest = 0.1;
    if (!options_.enough) {
      return forcing_;
    }
    return std::max(forcing_,
                    std::min(loosest, fraction * options_.enough() / gradient_norm));
  }

  const Operator& hessian_;
  const Operator& precondition_;
  const NewtonOptions& options_;
  Host& host_;
  double forcing_;
  bool along_gradient_ = false;
  std::size_t products_ = 0;
};

class SolvedRule : public DirectionRule {
 public:
  explicit SolvedRule(const Operator& solve) : solve_(solve) {}

  Vector direction(const Vector& gradient) override { return solve_(gradient); }
  double trial_step(const Vector&, double) override { return 1.0; }
  void learn(double, const Vector&, const Vector&, const Vector&) override {}
  bool restart() override { return false; }

 private:
  const Operator& solve_;
};

}  // namespace

void NewtonOptions::validate() const {
  descent.validate();
  if (!(loosest > 0.0 && loosest < 1.0) || max_products < 1) {
    throw InvalidArgument("impossible options of Newton's method");
  }
}

Descent minimise_newton(Function& function, const Operator& hessian,
                        const NewtonOptions& options, Host& host, const Stop& stop,
                        const Operator& precondition) {
  options.validate();
  NewtonRule rule(hessian, precondition, options, host);
  Descent result = descend(function, rule, options.descent, host, stop);
  result.products = rule.products();
  return result;
}

Descent minimise_newton(Function& function, const Operator& solve,
                        const DescentOptions& options, Host& host, const Stop& stop) {
  SolvedRule rule(solve);
  return descend(function, rule, options, host, stop);
}

}  // namespace rankmix::optimize
