// Glue: gradient boosted regression trees.
#include "bind_gbrt.h"

#include <Rcpp.h>

#include <cstdint>
#include <limits>

#include "bind_forest.h"
#include "host_parallel.h"
#include "views_r.h"

namespace boost = rankmix::boost;

// Starts a fit without any tree. `weights` is empty where all documents weigh the same.
// [[Rcpp::export]]
GbrtPointer gbrt_start(BinsPointer bins, const Rcpp::NumericVector& targets,
                       const Rcpp::NumericVector& weights, const Rcpp::List& spec,
                       double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    boost::GbrtOptions options;
    options.limits.leaves = static_cast<std::size_t>(Rcpp::as<double>(spec["leaves"]));
    if (!Rf_isNull(spec["depth"])) {
      options.limits.depth = static_cast<std::size_t>(Rcpp::as<double>(spec["depth"]));
    }
    options.step = Rcpp::as<double>(spec["step"]);
    options.least_documents = Rcpp::as<double>(spec["min_documents"]);
    options.precision = Rcpp::as<std::string>(spec["precision"]) == "single"
                            ? boost::Precision::kSingle
                            : boost::Precision::kDouble;
    options.feature_share = Rcpp::as<double>(spec["feature_share"]);
    options.document_share = Rcpp::as<double>(spec["document_share"]);
    options.seed = static_cast<std::uint64_t>(seed);
    return GbrtPointer(new rankmix::GbrtFit(bins, targets, weights, options, host));
  });
}

// Adds trees; `total` is for the progress.
// [[Rcpp::export]]
void gbrt_run(GbrtPointer fit, int trees, int total, int threads,
              const Rcpp::RObject& progress) {
  rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    fit->gbrt.run(static_cast<std::size_t>(trees), static_cast<std::size_t>(total), host);
    return 0;
  });
}

// [[Rcpp::export]]
Rcpp::List gbrt_model(GbrtPointer fit) {
  return rankmix::guarded([&] {
    const boost::GbrtModel& model = fit->gbrt.model();
    return Rcpp::List::create(
        Rcpp::Named("forest") = rankmix::to_r(model.forest),
        Rcpp::Named("start") = model.start,
        Rcpp::Named("status") = model.stalled ? "stalled" : "limit");
  });
}
