// Glue: AdaRank.
#include "bind_adarank.h"

#include <Rcpp.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace boost = rankmix::boost;

namespace rankmix {

// The views stay valid while `x` keeps the R object alive.
AdaRankFit::AdaRankFit(const Rcpp::RObject& matrix, const Rcpp::List& held,
                       const Rcpp::NumericVector& query_weights,
                       const boost::AdaRankOptions& options, Host& host)
    : x(matrix),
      columns(columns_of(matrix)),
      grades(held["relevance"]),
      positions(held["positions"]),
      order(held["order"]),
      offsets(held["offsets"]),
      weights(query_weights),
      metric(metric_of(held["spec"], {int_view(order), int_view(offsets)})),
      judged{*metric,
             {int_view(grades), int_view(positions)},
             {int_view(order), int_view(offsets)},
             double_view(weights)},
      booster(*columns, judged, options, host) {}

}  // namespace rankmix

namespace {

const char* status_of(const boost::AdaRankModel& model) {
  switch (model.status) {
    case boost::AdaRankStatus::kStalled:
      return "stalled";
    case boost::AdaRankStatus::kConverged:
      return "converged";
    default:
      return "limit";
  }
}

}  // namespace

// Starts a fit without rounds. Without limits, `repeats` is 0, `tolerance` negative and
// `pause` 0.
// [[Rcpp::export(rng = false)]]
AdaRankPointer adarank_start(const Rcpp::RObject& x, const Rcpp::List& held,
                             const Rcpp::NumericVector& weights, bool negatives,
                             int repeats, int pause, double tolerance, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    boost::AdaRankOptions options;
    options.negatives = negatives;
    options.repeats = static_cast<std::size_t>(repeats);
    options.pause = static_cast<std::size_t>(pause);
    options.tolerance = tolerance;
    return AdaRankPointer(new rankmix::AdaRankFit(x, held, weights, options, host));
  });
}

// Statistics before the first round: the mean metric of each feature, and of each
// negated feature if these are used; the lowest and highest metric of a query; the
// number of queries that count; a digest of the data.
// [[Rcpp::export(rng = false)]]
Rcpp::List adarank_weak(AdaRankPointer fit) {
  return rankmix::guarded([&] {
    const boost::AdaRank& booster = fit->booster;
    char digest[17];
    std::snprintf(digest, sizeof(digest), "%016llx",
                  static_cast<unsigned long long>(booster.digest()));
    return Rcpp::List::create(
        Rcpp::Named("means") = booster.weak_means(),
        Rcpp::Named("least") = booster.least(),
        Rcpp::Named("largest") = booster.largest(),
        Rcpp::Named("counting") = static_cast<int>(booster.counting()),
        Rcpp::Named("digest") = std::string(digest));
  });
}

// Restores the rounds of a model. Returns FALSE if it was not trained on the same data.
// [[Rcpp::export(rng = false)]]
bool adarank_replay(AdaRankPointer fit, const Rcpp::DataFrame& rounds, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    boost::AdaRankModel model;
    model.feature = Rcpp::as<std::vector<int>>(rounds["feature"]);
    for (int& feature : model.feature) {
      --feature;
    }
    model.sign = Rcpp::as<std::vector<int>>(rounds["sign"]);
    model.alpha = Rcpp::as<std::vector<double>>(rounds["alpha"]);
    try {
      fit->booster.replay(model, host);
    } catch (const rankmix::InvalidArgument&) {
      return false;
    }
    return true;
  });
}

// Adds rounds and returns their total number. `total` is the final number, for the
// progress.
// [[Rcpp::export(rng = false)]]
Rcpp::List adarank_run(AdaRankPointer fit, int rounds, int total, int threads,
                       const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    fit->booster.run(static_cast<std::size_t>(rounds), static_cast<std::size_t>(total),
                     host);
    const boost::AdaRankModel& model = fit->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("rounds") = static_cast<int>(model.alpha.size()),
        Rcpp::Named("status") = status_of(model));
  });
}

// The rounds, with features from 1, and the status.
// [[Rcpp::export(rng = false)]]
Rcpp::List adarank_model(AdaRankPointer fit) {
  return rankmix::guarded([&] {
    const boost::AdaRankModel& model = fit->booster.model();
    const Rcpp::IntegerVector features(model.feature.begin(), model.feature.end());
    return Rcpp::List::create(
        Rcpp::Named("feature") = features + 1, Rcpp::Named("sign") = model.sign,
        Rcpp::Named("alpha") = model.alpha, Rcpp::Named("value") = model.value,
        Rcpp::Named("mean") = model.mean, Rcpp::Named("status") = status_of(model));
  });
}
