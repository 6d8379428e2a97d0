// Glue: linear models of smooth metrics (SmoothRank).
#include <Rcpp.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bind_linear.h"
#include "bind_objective.h"
#include "core/linear/smooth_path.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace linear = rankmix::linear;

namespace {

// Converts the path: one column or element for each stage of each penalty. All stages of
// the first penalty come first.
Rcpp::List to_r(const std::vector<std::vector<linear::SmoothStage>>& path,
                std::size_t columns, const linear::Scaling& scaling) {
  const std::size_t stages = path.empty() ? 0 : path[0].size();
  const auto count = static_cast<R_xlen_t>(path.size() * stages);
  Rcpp::NumericMatrix weights(static_cast<int>(columns), static_cast<int>(count));
  Rcpp::NumericVector objective(count);
  Rcpp::NumericVector metric(count);
  Rcpp::IntegerVector steps(count);
  Rcpp::IntegerVector evaluations(count);
  Rcpp::CharacterVector status(count);
  double* to = REAL(weights);
  R_xlen_t i = 0;
  for (const std::vector<linear::SmoothStage>& walk : path) {
    for (const linear::SmoothStage& stage : walk) {
      to = std::copy(stage.weights.begin(), stage.weights.end(), to);
      objective[i] = stage.objective;
      metric[i] = stage.metric;
      steps[i] = static_cast<int>(stage.steps);
      evaluations[i] = static_cast<int>(stage.evaluations);
      status[i] = rankmix::optimize::name_of(stage.status);
      ++i;
    }
  }
  std::vector<double> scale;
  for (double factor : scaling.factor) {
    scale.push_back(factor == 0.0 ? 0.0 : 1.0 / factor);
  }
  return Rcpp::List::create(Rcpp::Named("weights") = weights,
                            Rcpp::Named("objective") = objective,
                            Rcpp::Named("metric") = metric, Rcpp::Named("steps") = steps,
                            Rcpp::Named("evaluations") = evaluations,
                            Rcpp::Named("status") = status, Rcpp::Named("scale") = scale);
}

}  // namespace

// `objective` has the sigmas of all stages. `weights` of rows are used to standardise
// features, if `standardise` is true.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_smooth_path(const Rcpp::RObject& x, const Rcpp::List& objective,
                              const Rcpp::List& documents,
                              const Rcpp::NumericVector& weights,
                              const Rcpp::NumericVector& start,
                              const Rcpp::NumericVector& centre,
                              const Rcpp::NumericVector& penalties, bool standardise,
                              double tolerance, int max_steps, int threads,
                              const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    const auto on = rankmix::make_smooth(objective);
    const rankmix::DocumentsOfR known(documents);
    linear::SmoothPathOptions options;
    options.tolerance = tolerance;
    options.max_steps = static_cast<std::size_t>(max_steps);
    return rankmix::with_features(x, [&](const auto& matrix) {
      const auto features = linear::features_of(
          matrix, linear::find_scaling(matrix,
                                       standardise ? linear::ScalingRule::kStandard
                                                   : linear::ScalingRule::kNone,
                                       host, rankmix::double_view(weights)));
      return to_r(
          linear::smooth_path(*features, known.view(), *on,
                              {rankmix::double_view(start), rankmix::double_view(centre)},
                              rankmix::double_view(penalties), options, host),
          features->inputs(), features->scaling());
    });
  });
}
