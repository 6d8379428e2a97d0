// Conversion of objectives and their data from R to the core.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/objective/objective.h"
#include "core/objective/pairwise.h"
#include "core/objective/smooth.h"
#include "views_r.h"

namespace rankmix {

objective::PairwiseOptions pair_options(const Rcpp::List& value);

// `value` is the result of settled_objective().
std::unique_ptr<objective::Objective> make_objective(const Rcpp::List& value);
std::unique_ptr<objective::Smooth> make_smooth(const Rcpp::List& value);

// The data of documents for objectives: a list of `order`, `offsets`, `grades`,
// `targets`, `weights` and `query_weights`. The last two are empty if all weights are
// equal.
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
