// Glue: coordinate ascent of linear rankers.
#include <Rcpp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bind_metric.h"
#include "core/linear/ascent.h"
#include "core/linear/scaling.h"
#include "core/linear/step_search.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace linear = rankmix::linear;

namespace {

linear::AscentOptions ascent_options(const Rcpp::List& settings, double seed) {
  linear::AscentOptions options;
  options.starts = static_cast<std::size_t>(Rcpp::as<double>(settings["restarts"]));
  options.sweeps = static_cast<std::size_t>(Rcpp::as<double>(settings["iterations"]));
  options.tolerance = Rcpp::as<double>(settings["tolerance"]);
  options.seed = static_cast<std::uint64_t>(seed);
  return options;
}

linear::StepOptions step_options(const Rcpp::List& settings, double seed) {
  linear::StepOptions options;
  options.starts = static_cast<std::size_t>(Rcpp::as<double>(settings["restarts"]));
  options.steps = static_cast<std::size_t>(Rcpp::as<double>(settings["iterations"]));
  options.tolerance = Rcpp::as<double>(settings["tolerance"]);
  options.slack = Rcpp::as<double>(settings["slack"]);
  options.seed = static_cast<std::uint64_t>(seed);
  return options;
}

linear::ScalingRule rule_of(const std::string& name) {
  if (name == "standard") {
    return linear::ScalingRule::kStandard;
  }
  return name == "maximum" ? linear::ScalingRule::kMaximum : linear::ScalingRule::kNone;
}

Rcpp::List to_r(const std::vector<linear::AscentResult>& results, std::size_t columns) {
  Rcpp::NumericMatrix weights(static_cast<int>(columns),
                              static_cast<int>(results.size()));
  Rcpp::List values;
  Rcpp::CharacterVector status;
  for (std::size_t s = 0; s < results.size(); ++s) {
    std::copy(results[s].weights.begin(), results[s].weights.end(),
              weights.begin() + static_cast<R_xlen_t>(s * columns));
    values.push_back(Rcpp::wrap(results[s].values));
    status.push_back(rankmix::optimize::name_of(results[s].status));
  }
  return Rcpp::List::create(Rcpp::Named("weights") = weights,
                            Rcpp::Named("values") = values,
                            Rcpp::Named("status") = status);
}

}  // namespace

// `held` is the result of R's new_evaluator(). `weights` are the document weights for
// scaling features. If `weights` is empty, all documents have equal weights. Returns the
// weights (features x restarts), and for each restart the metric at the start and after
// each sweep, and the status.
// [[Rcpp::export(rng = false)]]
Rcpp::List ascend_metric(const Rcpp::RObject& matrix, const Rcpp::List& held,
                         const Rcpp::NumericVector& query_weights,
                         const Rcpp::NumericVector& weights, const Rcpp::List& settings,
                         double seed, int threads, const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    const Rcpp::IntegerVector grades = held["relevance"];
    const Rcpp::IntegerVector positions = held["positions"];
    const Rcpp::IntegerVector order = held["order"];
    const Rcpp::IntegerVector offsets = held["offsets"];
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const auto metric = rankmix::metric_of(held["spec"], queries);
    const rankmix::metric::Judged judged{
        *metric,
        {rankmix::int_view(grades), rankmix::int_view(positions)},
        queries,
        rankmix::double_view(query_weights)};
    return rankmix::with_features(matrix, [&](const auto& x) {
      const linear::Scaling scaling =
          linear::find_scaling(x, rule_of(Rcpp::as<std::string>(settings["scale"])), host,
                               rankmix::double_view(weights));
      const bool steps = Rcpp::as<std::string>(settings["search"]) == "ranklib";
      return to_r(steps ? linear::step_search(judged, x, scaling.factor,
                                              step_options(settings, seed), host)
                        : linear::coordinate_ascent(judged, x, scaling.factor,
                                                    ascent_options(settings, seed), host),
                  x.cols());
    });
  });
}
