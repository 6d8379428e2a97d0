// Objectives between R and the core.
#pragma once
#include <Rcpp.h>

#include <memory>
#include <string>

#include "core/base/errors.h"
#include "core/objective/list_mle.h"
#include "core/objective/objective.h"
#include "core/objective/pairwise.h"
#include "core/objective/softmax.h"
#include "core/objective/squared.h"
#include "views_r.h"

namespace rankmix {

inline objective::PairwiseOptions pair_options(const Rcpp::List& value) {
  const auto loss = Rcpp::as<std::string>(value["loss"]);
  objective::PairwiseOptions options;
  options.loss = loss == "logistic" ? objective::PairLoss::kLogistic
                 : loss == "hinge"  ? objective::PairLoss::kHinge
                                    : objective::PairLoss::kSquaredHinge;
  options.queries_alike = value.containsElementNamed("pairs") &&
                          Rcpp::as<std::string>(value["pairs"]) == "query";
  return options;
}

inline std::unique_ptr<objective::Objective> make_objective(const Rcpp::List& value) {
  const auto name = Rcpp::as<std::string>(value["name"]);
  if (name == "squared") {
    return std::make_unique<objective::Squared>();
  }
  if (name == "softmax") {
    return std::make_unique<objective::Softmax>();
  }
  if (name == "list_mle") {
    return std::make_unique<objective::ListMle>();
  }
  if (name == "pairwise") {
    return std::make_unique<objective::Pairwise>(pair_options(value));
  }
  throw InvalidArgument("there is no objective " + name);
}

// What an objective knows of the documents, as R has it: `order`, `offsets`, `grades`,
// `targets`, `weights` and `query_weights`, the last two empty where all weigh the same.
class DocumentsOfR {
 public:
  explicit DocumentsOfR(const Rcpp::List& documents)
      : order_(documents["order"]),
        offsets_(documents["offsets"]),
        grades_(documents["grades"]),
        targets_(documents["targets"]),
        weights_(documents["weights"]),
        query_weights_(documents["query_weights"]) {}

  objective::Documents view() const {
    return {{int_view(order_), int_view(offsets_)},
            int_view(grades_),
            double_view(targets_),
            double_view(weights_),
            double_view(query_weights_),
            {}};
  }

 private:
  Rcpp::IntegerVector order_;
  Rcpp::IntegerVector offsets_;
  Rcpp::IntegerVector grades_;
  Rcpp::NumericVector targets_;
  Rcpp::NumericVector weights_;
  Rcpp::NumericVector query_weights_;
};

}  // namespace rankmix
