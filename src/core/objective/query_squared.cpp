#include "core/objective/query_squared.h"

#include <vector>

#include "core/base/exact_sum.h"

namespace rankmix::objective {
namespace {

class Worker : public QueryWorker {
 public:
  double evaluate(const Query& query, const Derivatives& out) override {
    parts_.resize(query.size());
    for (std::size_t i = 0; i < query.size(); ++i) {
      parts_[i] = query.scores[i] - query.targets[i];
    }
    const double all = sum_exactly(query.weights);
    if (all > 0.0) {
      centre(query, all);
    }
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double weight = query.weights[i];
      const double error = parts_[i];
      out.gradient[i] = weight * error;
      out.hessian[i] = all > 0.0 ? weight * (1.0 - weight / all) : 0.0;
      parts_[i] = 0.5 * weight * error * error;
    }
    return sum_exactly(parts_);
  }

  double weight(const Query& query) override {
    std::size_t counted = 0;
    for (double weight : query.weights) {
      counted += weight > 0.0 ? 1 : 0;
    }
    return counted < 2 ? 0.0 : sum_exactly(query.weights);
  }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    parts_.assign(direction.begin(), direction.end());
    const double all = sum_exactly(query.weights);
    if (all > 0.0) {
      centre(query, all);
    }
    for (std::size_t i = 0; i < query.size(); ++i) {
      product[i] = query.weights[i] * parts_[i];
    }
  }

 private:
  // Subtracts the weighted mean from the errors. A single document gets exactly 0.
  void centre(const Query& query, double all) {
    weighted_.resize(query.size());
    for (std::size_t i = 0; i < query.size(); ++i) {
      weighted_[i] = parts_[i] * (query.weights[i] / all);
    }
    const double mean = sum_exactly(weighted_);
    for (double& part : parts_) {
      part -= mean;
    }
    if (query.size() == 1) {
      parts_[0] = 0.0;
    }
  }

  std::vector<double> parts_;
  std::vector<double> weighted_;
};

}  // namespace

Traits QuerySquared::traits() const {
  Traits traits;
  traits.has_product = true;
  traits.shift_invariant = true;
  traits.in_score_order = false;  // all sums are exact
  return traits;
}

std::unique_ptr<QueryWorker> QuerySquared::worker() const {
  return std::make_unique<Worker>();
}

}  // namespace rankmix::objective
