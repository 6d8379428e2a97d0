#include "core/objective/squared.h"

#include <vector>

#include "core/base/exact_sum.h"

namespace rankmix::objective {
namespace {

class Worker : public QueryWorker {
 public:
  double evaluate(const Query& query, const Derivatives& out) override {
    errors_.resize(query.size());
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double error = query.scores[i] - query.targets[i];
      out.gradient[i] = query.weights[i] * error;
      out.hessian[i] = query.weights[i];
      errors_[i] = 0.5 * out.gradient[i] * error;
    }
    return sum_exactly(errors_);
  }

  double weight(const Query& query) override { return sum_exactly(query.weights); }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    for (std::size_t i = 0; i < query.size(); ++i) {
      product[i] = query.weights[i] * direction[i];
    }
  }

 private:
  std::vector<double> errors_;
};

}  // namespace

Traits Squared::traits() const {
  Traits traits;
  traits.has_product = true;
  traits.in_score_order = false;  // documents are independent
  return traits;
}

std::unique_ptr<QueryWorker> Squared::worker() const {
  return std::make_unique<Worker>();
}

void Squared::check(const Documents& documents) const { check_targets(documents); }

double Squared::best_constant(const Documents& documents, Host& host) const {
  const std::size_t rows = documents.rows();
  const std::vector<double> weights = weights_of_rows(documents);
  const bool equal = host.reducer().all_of(weights.empty());
  const double all =
      equal ? host.reducer().sum_of(static_cast<double>(rows))
            : sum_exactly(host, rows, [&](std::size_t i) { return weights[i]; });
  if (all == 0.0) {
    return 0.0;
  }
  return sum_exactly(host, rows, [&](std::size_t i) {
    const double offset = documents.offsets.empty() ? 0.0 : documents.offsets[i];
    const double target = documents.targets[i] - offset;
    return equal ? target / all : target * (weights[i] / all);
  });
}

}  // namespace rankmix::objective
