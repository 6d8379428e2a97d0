#include "core/objective/softmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/exp.h"

namespace rankmix::objective {
namespace {

class Worker : public QueryWorker {
 public:
  double evaluate(const Query& query, const Derivatives& out) override {
    const double gains = sum_of_gains(query);
    if (gains == 0.0) {
      std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
      std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
      return 0.0;
    }
    const double log_sum = find_probabilities(query);
    double value = 0.0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double target = query.weights[i] * query.targets[i] / gains;
      out.gradient[i] = probabilities_[i] - target;
      out.hessian[i] = probabilities_[i] * (1.0 - probabilities_[i]);
      value += target * (log_sum - query.scores[i]);
    }
    return value;
  }

  double weight(const Query& query) override {
    return sum_of_gains(query) > 0.0 ? 1.0 : 0.0;
  }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    if (sum_of_gains(query) == 0.0) {
      std::fill(product.begin(), product.end(), 0.0);
      return;
    }
    find_probabilities(query);
    double mean = 0.0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      mean += probabilities_[i] * direction[i];
    }
    for (std::size_t i = 0; i < query.size(); ++i) {
      product[i] = probabilities_[i] * (direction[i] - mean);
    }
  }

 private:
  static double sum_of_gains(const Query& query) {
    double sum = 0.0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      sum += query.weights[i] * query.targets[i];
    }
    return sum;
  }

  // Fills the softmax probabilities p and returns the logarithm of their denominator.
  // Documents must be sorted by score, highest first, and one must have positive weight.
  double find_probabilities(const Query& query) {
    std::size_t top = 0;
    while (query.weights[top] == 0.0) {
      ++top;
    }
    probabilities_.assign(query.size(), 0.0);
    double sum = 0.0;
    for (std::size_t i = top; i < query.size(); ++i) {
      const double below = query.scores[i] - query.scores[top];
      probabilities_[i] =
          query.weights[i] * exp_not_positive(std::max(below, kMinExponent));
      sum += probabilities_[i];
    }
    for (double& probability : probabilities_) {
      probability /= sum;
    }
    return query.scores[top] + std::log(sum);
  }

  std::vector<double> probabilities_;
};

}  // namespace

Traits Softmax::traits() const {
  Traits traits;
  traits.has_product = true;
  traits.shift_invariant = true;
  return traits;
}

std::unique_ptr<QueryWorker> Softmax::worker() const {
  return std::make_unique<Worker>();
}

void Softmax::check(const Documents& documents) const { check_gains(documents); }

}  // namespace rankmix::objective
