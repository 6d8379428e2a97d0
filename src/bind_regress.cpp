// Glue: regression trees with linear models.
#include <Rcpp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bind_data.h"
#include "bind_forest.h"
#include "core/regress/bin_search.h"
#include "core/regress/content_order.h"
#include "core/regress/documents.h"
#include "core/regress/exact_search.h"
#include "core/regress/model_tree.h"
#include "core/regress/predict.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace regress = rankmix::regress;

namespace {

// Of the package's features, which must outlive them.
std::unique_ptr<regress::Values> values_of(rankmix::MatrixView<const double> x) {
  return std::make_unique<regress::DenseValues>(x);
}
std::unique_ptr<regress::Values> values_of(const rankmix::SparseView& x) {
  return std::make_unique<regress::SparseValues>(x);
}

regress::TreeOptions options_of(const Rcpp::List& spec) {
  regress::TreeOptions options;
  options.least_split = Rcpp::as<double>(spec["min_documents"]);
  options.prune = Rcpp::as<bool>(spec["prune"]);
  options.smooth = Rcpp::as<bool>(spec["smooth"]);
  return options;
}

Rcpp::List to_r(const regress::ModelTree& tree) {
  return Rcpp::List::create(
      Rcpp::Named("forest") = rankmix::to_r(tree.forest),
      Rcpp::Named("models") = Rcpp::List::create(Rcpp::Named("begin") = tree.begin,
                                                 Rcpp::Named("feature") = tree.feature,
                                                 Rcpp::Named("weight") = tree.weight),
      Rcpp::Named("error") = tree.error, Rcpp::Named("deviation") = tree.deviation);
}

}  // namespace

// A tree of the documents; `weights` is empty where all weigh the same, `bins` is NULL
// where splits are searched by all values.
// [[Rcpp::export(rng = false)]]
Rcpp::List m5p_grow(const Rcpp::RObject& x, const Rcpp::RObject& bins,
                    const Rcpp::NumericVector& targets,
                    const Rcpp::NumericVector& weights, const Rcpp::List& spec,
                    int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::View<const double> y = rankmix::double_view(targets);
    const rankmix::View<const double> w = rankmix::double_view(weights);
    return rankmix::with_features(x, [&](const auto& view) {
      const auto values = values_of(view);
      const regress::Documents documents = regress::make_documents(
          *values, y, w, regress::content_order(*values, y, w, host));
      const std::vector<std::uint8_t> active(view.cols(), 1);
      if (Rf_isNull(bins)) {
        regress::ExactSearch search(documents, active);
        return to_r(regress::grow_model_tree(documents, search, options_of(spec), host));
      }
      const BinsPointer binned(static_cast<SEXP>(bins));
      regress::BinSearch search(*binned, documents, active);
      return to_r(regress::grow_model_tree(documents, search, options_of(spec), host));
    });
  });
}

// A number for each row.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector m5p_predict(const Rcpp::List& forest, const Rcpp::List& models,
                                const Rcpp::RObject& x, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const Rcpp::IntegerVector begin(models["begin"]);
    const Rcpp::IntegerVector feature(models["feature"]);
    const Rcpp::NumericVector weight(models["weight"]);
    return rankmix::with_features(x, [&](const auto& view) {
      const auto values = values_of(view);
      Rcpp::NumericVector out(static_cast<R_xlen_t>(view.rows()));
      regress::predict_model_tree(of_r.view(),
                                  {rankmix::int_view(begin), rankmix::int_view(feature),
                                   rankmix::double_view(weight)},
                                  *values, view.rows(), host, REAL(out));
      return out;
    });
  });
}
