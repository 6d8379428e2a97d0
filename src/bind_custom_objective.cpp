// Glue: objectives that users define in R.
#include "bind_custom_objective.h"

#include <cstddef>

#include "glue_size.h"

namespace rankmix {
namespace {

class Worker : public objective::QueryWorker {
 public:
  explicit Worker(const Rcpp::Function& gradients) : gradients_(gradients) {}

  double evaluate(const objective::Query& query,
                  const objective::Derivatives& out) override {
    const auto size = static_cast<R_xlen_t>(query.size());
    Rcpp::IntegerVector rows(size);
    Rcpp::NumericVector scores(size);
    for (R_xlen_t i = 0; i < size; ++i) {
      rows[i] = query.rows[static_cast<std::size_t>(i)] + 1;
      scores[i] = query.scores[static_cast<std::size_t>(i)];
    }
    const Rcpp::NumericVector found =
        gradients_(static_cast<int>(query.index) + 1, rows, scores);
    for (std::size_t i = 0; i < query.size(); ++i) {
      out.gradient[i] = found[static_cast<R_xlen_t>(i)];
      out.hessian[i] = found[static_cast<R_xlen_t>(i) + size];
    }
    return R_NaN;
  }

  double weight(const objective::Query&) override { return 1.0; }

 private:
  Rcpp::Function gradients_;
};

class Custom : public objective::Objective {
 public:
  explicit Custom(const Rcpp::Function& gradients) : gradients_(gradients) {}

  objective::Traits traits() const override {
    objective::Traits traits;
    traits.hessian = objective::HessianKind::kBound;
    traits.has_value = false;
    traits.takes_weights = false;
    traits.main_thread_only = true;
    return traits;
  }
  std::unique_ptr<objective::QueryWorker> worker() const override {
    return std::make_unique<Worker>(gradients_);
  }

 private:
  Rcpp::Function gradients_;
};

}  // namespace

std::unique_ptr<objective::Objective> make_custom(const Rcpp::List& value) {
  return std::make_unique<Custom>(Rcpp::as<Rcpp::Function>(value["gradients"]));
}

}  // namespace rankmix
