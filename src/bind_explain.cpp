// Glue: Shapley values of forests.
#include <Rcpp.h>

#include "bind_forest.h"
#include "core/explain/by_background.h"
#include "core/explain/by_cover.h"
#include "core/explain/content_keys.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

// Contributions of features, rows x features. The forest must have one output and one
// tree a round. The mean by training documents is an attribute.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix explain_by_cover(const Rcpp::List& forest, const Rcpp::RObject& x,
                                     int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const Rcpp::IntegerVector nodes(forest["node_documents"]);
    const Rcpp::IntegerVector leaves(forest["leaf_documents"]);
    const auto features = rankmix::dense_view(x);
    auto out =
        rankmix::new_zero_matrix<Rcpp::NumericMatrix>(features.rows(), features.cols());
    const double mean = rankmix::explain::contributions_by_cover(
        of_r.view(), {rankmix::int_view(nodes), rankmix::int_view(leaves)}, features,
        host, REAL(out));
    out.attr("mean") = mean;
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
bool explain_paths_fit(const Rcpp::List& forest) {
  return rankmix::guarded(
      [&] { return rankmix::explain::paths_fit(rankmix::ForestOfR(forest).view()); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix explain_by_background(const Rcpp::List& forest,
                                          const Rcpp::RObject& x,
                                          const Rcpp::RObject& background, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const auto features = rankmix::dense_view(x);
    auto out =
        rankmix::new_zero_matrix<Rcpp::NumericMatrix>(features.rows(), features.cols());
    rankmix::explain::contributions_by_background(
        of_r.view(), features, rankmix::dense_view(background), host, REAL(out));
    return out;
  });
}

// A number for each document that depends on its features only; see
// core/explain/content_keys.h.
// [[Rcpp::export(rng = false)]]
std::vector<double> content_keys(const Rcpp::RObject& x,
                                 const Rcpp::NumericVector& weights) {
  return rankmix::guarded([&] {
    return rankmix::with_features(x, [&](const auto& view) {
      return rankmix::explain::content_keys(view, rankmix::double_view(weights));
    });
  });
}
