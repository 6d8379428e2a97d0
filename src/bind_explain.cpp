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

// The contributions of features (`values`, rows x features) and the `mean` score over
// the training documents. The forest must have one output and one tree a round.
// [[Rcpp::export(rng = false)]]
Rcpp::List explain_by_cover(const Rcpp::List& forest, const Rcpp::RObject& x,
                            int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const Rcpp::IntegerVector nodes(forest["node_documents"]);
    const Rcpp::IntegerVector leaves(forest["leaf_documents"]);
    const auto features = rankmix::dense_view(x);
    auto out =
        rankmix::new_zero_matrix<Rcpp::NumericMatrix>(features.rows(), features.cols());
    out.attr("dimnames") = x.attr("dimnames");
    const double mean = rankmix::explain::contributions_by_cover(
        of_r.view(), {rankmix::int_view(nodes), rankmix::int_view(leaves)}, features,
        host, REAL(out));
    return Rcpp::List::create(Rcpp::Named("values") = out, Rcpp::Named("mean") = mean);
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
    out.attr("dimnames") = x.attr("dimnames");
    rankmix::explain::contributions_by_background(
        of_r.view(), features, rankmix::dense_view(background), host, REAL(out));
    return out;
  });
}

// (x - means) * weights, column by column.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix weighted_deviations(const Rcpp::RObject& x,
                                        const Rcpp::NumericVector& means,
                                        const Rcpp::NumericVector& weights) {
  return rankmix::guarded([&] {
    const auto from = rankmix::dense_view(x);
    auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(from.rows(), from.cols());
    out.attr("dimnames") = x.attr("dimnames");
    const auto to = rankmix::writable_view(out);
    const auto mean = rankmix::double_view(means);
    const auto weight = rankmix::double_view(weights);
    if (mean.size() != from.cols() || weight.size() != from.cols()) {
      throw rankmix::InvalidArgument("means and weights do not fit the features");
    }
    for (std::size_t j = 0; j < from.cols(); ++j) {
      for (std::size_t i = 0; i < from.rows(); ++i) {
        to(i, j) = (from(i, j) - mean[j]) * weight[j];
      }
    }
    return out;
  });
}

// A number for each document that depends on its features only; see
// core/explain/content_keys.h.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector content_keys(const Rcpp::RObject& x,
                                 const Rcpp::NumericVector& weights) {
  return rankmix::guarded([&] {
    return rankmix::with_features(x, [&](const auto& view) {
      return rankmix::copied(
          rankmix::explain::content_keys(view, rankmix::double_view(weights)));
    });
  });
}
