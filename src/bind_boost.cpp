// Glue: AdaBoost.MH and the prediction of its ensembles.
#include <Rcpp.h>

#include <string>

#include "bind_data.h"
#include "core/boost/adaboost_mh.h"
#include "core/tree/predict.h"
#include "host_parallel.h"
#include "views_r.h"

namespace {

Rcpp::List to_r(const rankmix::tree::Forest& forest) {
  return Rcpp::List::create(Rcpp::Named("outputs") = static_cast<int>(forest.outputs),
                            Rcpp::Named("node_begin") = forest.node_begin,
                            Rcpp::Named("leaf_begin") = forest.leaf_begin,
                            Rcpp::Named("feature") = forest.feature,
                            Rcpp::Named("threshold") = forest.threshold,
                            Rcpp::Named("missing_left") = forest.missing_left,
                            Rcpp::Named("left") = forest.left,
                            Rcpp::Named("right") = forest.right,
                            Rcpp::Named("values") = forest.values);
}

}  // namespace

// `document_weights` is empty where all documents weigh the same.
// [[Rcpp::export]]
Rcpp::List adaboost_mh_fit(BinsPointer bins, const Rcpp::IntegerVector& grades,
                           const Rcpp::NumericVector& document_weights, int classes,
                           int rounds, int leaves, const std::string& weights,
                           double feature_share, double seed, int threads,
                           const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    namespace boost = rankmix::boost;
    rankmix::RHost host(threads, progress);
    boost::AdaBoostOptions options;
    options.rounds = static_cast<std::size_t>(rounds);
    options.leaves = static_cast<std::size_t>(leaves);
    options.weights = weights == "uniform" ? boost::WeightScheme::kUniform
                                           : boost::WeightScheme::kRelevance;
    options.feature_share = feature_share;
    options.seed = static_cast<std::uint64_t>(seed);
    const boost::AdaBoostModel model = boost::fit_adaboost_mh(
        *bins, rankmix::int_view(grades), rankmix::double_view(document_weights),
        static_cast<std::size_t>(classes), options, host);
    return Rcpp::List::create(
        Rcpp::Named("forest") = to_r(model.forest), Rcpp::Named("alpha") = model.alpha,
        Rcpp::Named("edge") = model.edge,
        Rcpp::Named("status") =
            model.status == boost::Status::kLimit ? "limit" : "stalled");
  });
}

// Discriminants: a rows x outputs x stages array.
// [[Rcpp::export]]
Rcpp::NumericVector forest_predict(const Rcpp::List& forest,
                                   const Rcpp::NumericVector& weights,
                                   const Rcpp::RObject& x,
                                   const Rcpp::IntegerVector& stages, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const Rcpp::IntegerVector node_begin = forest["node_begin"];
    const Rcpp::IntegerVector leaf_begin = forest["leaf_begin"];
    const Rcpp::IntegerVector feature = forest["feature"];
    const Rcpp::NumericVector threshold = forest["threshold"];
    const Rcpp::IntegerVector missing_left = forest["missing_left"];
    const Rcpp::IntegerVector left = forest["left"];
    const Rcpp::IntegerVector right = forest["right"];
    const Rcpp::IntegerVector values = forest["values"];
    rankmix::tree::ForestView view;
    view.outputs = static_cast<std::size_t>(Rcpp::as<int>(forest["outputs"]));
    view.node_begin = rankmix::int_view(node_begin);
    view.leaf_begin = rankmix::int_view(leaf_begin);
    view.feature = rankmix::int_view(feature);
    view.threshold = rankmix::double_view(threshold);
    view.missing_left = rankmix::int_view(missing_left);
    view.left = rankmix::int_view(left);
    view.right = rankmix::int_view(right);
    view.values = rankmix::int_view(values);
    const int outputs = static_cast<int>(view.outputs);
    return rankmix::with_features(x, [&](const auto& features) {
      const int rows = static_cast<int>(features.rows());
      Rcpp::NumericVector out(static_cast<R_xlen_t>(rows) * outputs * stages.size());
      rankmix::tree::predict_staged(view, rankmix::double_view(weights), features,
                                    rankmix::int_view(stages), host, REAL(out));
      out.attr("dim") =
          Rcpp::IntegerVector::create(rows, outputs, static_cast<int>(stages.size()));
      return out;
    });
  });
}
