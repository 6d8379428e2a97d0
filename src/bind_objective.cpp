// Glue: objectives.
#include "bind_objective.h"

#include <Rcpp.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bind_custom_objective.h"
#include "bind_metric.h"
#include "bind_yeti.h"
#include "core/base/errors.h"
#include "core/objective/evaluate.h"
#include "core/objective/lambda.h"
#include "core/objective/list_mle.h"
#include "core/objective/ordinal.h"
#include "core/objective/position_bias.h"
#include "core/objective/query_squared.h"
#include "core/objective/softmax.h"
#include "core/objective/squared.h"
#include "core/objective/xendcg.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace objective = rankmix::objective;

namespace rankmix {

objective::PairwiseOptions pair_options(const Rcpp::List& value) {
  const auto loss = Rcpp::as<std::string>(value["loss"]);
  objective::PairwiseOptions options;
  options.loss = loss == "logistic" ? objective::PairLoss::kLogistic
                 : loss == "hinge"  ? objective::PairLoss::kHinge
                                    : objective::PairLoss::kSquaredHinge;
  options.queries_alike = value.containsElementNamed("pairs") &&
                          Rcpp::as<std::string>(value["pairs"]) == "query";
  return options;
}

std::unique_ptr<objective::Smooth> make_smooth(const Rcpp::List& value) {
  objective::SmoothOptions options;
  options.sigmas = Rcpp::as<std::vector<double>>(value["sigma"]);
  options.form = value.containsElementNamed("form") ? objective::SmoothForm::kLogistic
                                                    : objective::SmoothForm::kRanks;
  options.warmup = static_cast<std::size_t>(Rcpp::as<double>(value["warmup"]));
  const auto longest = static_cast<std::size_t>(Rcpp::as<double>(value["longest"]));
  return std::make_unique<objective::Smooth>(metric_of(value["metric"], longest),
                                             options);
}

namespace {

std::unique_ptr<objective::Objective> make_lambda(const Rcpp::List& value) {
  objective::LambdaOptions options;
  options.sigma = Rcpp::as<double>(value["sigma"]);
  options.partners = static_cast<std::size_t>(Rcpp::as<double>(value["partners"]));
  const double top = Rcpp::as<double>(value["top"]);
  if (std::isfinite(top)) {
    options.top = static_cast<std::size_t>(top);
  }
  const auto normalize = Rcpp::as<std::string>(value["normalize"]);
  options.by_gap = normalize == "gap" || normalize == "both";
  options.by_query = normalize == "query" || normalize == "both";
  const auto unbiased = Rcpp::as<std::string>(value["unbiased"]);
  options.unbiased = unbiased == "pairs";
  options.position_l2 = Rcpp::as<double>(value["position_l2"]);
  if (value.containsElementNamed("known_factors")) {
    options.known_factors = Rcpp::as<std::vector<double>>(value["known_factors"]);
  }
  const auto longest = static_cast<std::size_t>(Rcpp::as<double>(value["longest"]));
  auto made =
      std::make_unique<objective::Lambda>(metric_of(value["metric"], longest), options);
  if (unbiased != "additive") {
    return made;
  }
  return std::make_unique<objective::PositionBias>(std::move(made), options.position_l2);
}

}  // namespace

std::unique_ptr<objective::Objective> make_objective(const Rcpp::List& value) {
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
  if (name == "smooth") {
    return make_smooth(value);
  }
  if (name == "lambda") {
    return make_lambda(value);
  }
  if (name == "yeti") {
    return make_yeti(value);
  }
  if (name == "query_rmse") {
    return std::make_unique<objective::QuerySquared>();
  }
  if (name == "ordinal") {
    return std::make_unique<objective::Ordinal>();
  }
  if (name == "xendcg") {
    return std::make_unique<objective::Xendcg>();
  }
  if (name == "custom") {
    return make_custom(value);
  }
  throw InvalidArgument("there is no objective " + name);
}

}  // namespace rankmix

// The total weight of the terms of an objective, such as queries or pairs. 0 if there is
// nothing to learn.
// [[Rcpp::export(rng = false)]]
double objective_weight(const Rcpp::List& objective, const Rcpp::List& documents,
                        int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto on = rankmix::make_objective(objective);
    const rankmix::DocumentsOfR known(documents);
    rankmix::objective::check_documents(*on, known.view());
    return rankmix::objective::total_weight(*on, known.view(), host);
  });
}

// The value of each query, and the gradient and hessian of each document.
// [[Rcpp::export(rng = false)]]
Rcpp::List objective_gradients(const Rcpp::List& objective, const Rcpp::List& documents,
                               const Rcpp::NumericVector& scores, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto on = rankmix::make_objective(objective);
    const rankmix::DocumentsOfR known(documents);
    const objective::Documents view = known.view();
    objective::check_documents(*on, view);
    const auto rows = static_cast<std::size_t>(scores.size());
    auto gradient = rankmix::new_zeros<Rcpp::NumericVector>(rows);
    auto hessian = rankmix::new_zeros<Rcpp::NumericVector>(rows);
    auto value = rankmix::new_zeros<Rcpp::NumericVector>(view.queries.count());
    for (R_xlen_t q = 0; q < value.size(); ++q) {
      const int query = static_cast<int>(q);
      value[q] = objective::evaluate_queries(
          *on, view, rankmix::double_view(scores), {&query, 1}, host,
          {{REAL(gradient), rows}, {REAL(hessian), rows}});
    }
    return Rcpp::List::create(Rcpp::Named("value") = value,
                              Rcpp::Named("gradient") = gradient,
                              Rcpp::Named("hessian") = hessian);
  });
}
