#include "core/optimize/lbfgs.h"

#include <deque>
#include <utility>

#include "core/base/errors.h"

namespace rankmix::optimize {
namespace {

class LbfgsRule : public DirectionRule {
 public:
  explicit LbfgsRule(std::size_t memory) : memory_(memory) {}

  Vector direction(const Vector& gradient) override {
    Vector result = negative(gradient);
    std::vector<double> fractions(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      fractions[i] = dot(pairs_[i].step, result) / pairs_[i].product;
      add(-fractions[i], pairs_[i].change, result);
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      const double length = last.product / dot(last.change, last.change);
      for (double& value : result) {
        value *= length;
      }
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double fraction = dot(pairs_[i].change, result) / pairs_[i].product;
      add(fractions[i] - fraction, pairs_[i].step, result);
    }
    return result;
  }

  double trial_step(const Vector& gradient, double) override {
    return pairs_.empty() ? first_step(gradient) : 1.0;
  }

  void learn(double step, const Vector& direction, const Vector& before,
             const Vector& after) override {
    // Below this cosine, rounding errors dominate the pair, or its curvature is not
    // positive.
    constexpr double least = 1e-10;
    Pair pair{direction, after, 0.0};
    for (double& value : pair.step) {
      value *= step;
    }
    add(-1.0, before, pair.change);
    pair.product = dot(pair.step, pair.change);
    if (!(pair.product > least * norm(pair.step) * norm(pair.change))) {
      return;
    }
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > memory_) {
      pairs_.pop_front();
    }
  }

  bool restart() override {
    const bool had = !pairs_.empty();
    pairs_.clear();
    return had;
  }

 private:
  struct Pair {
    Vector step;
    Vector change;  // change of the gradient
    double product;
  };

  std::size_t memory_;
  std::deque<Pair> pairs_;  // newest last
};

}  // namespace

void LbfgsOptions::validate() const {
  descent.validate();
  if (memory < 1) {
    throw InvalidArgument("L-BFGS needs a memory of one step or more");
  }
}

Descent minimise_lbfgs(Function& function, const LbfgsOptions& options, Host& host,
                       const Stop& stop) {
  options.validate();
  LbfgsRule rule(options.memory);
  return descend(function, rule, options.descent, host, stop);
}

}  // namespace rankmix::optimize
