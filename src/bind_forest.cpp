// Glue: prediction of tree ensembles.
#include "bind_forest.h"

#include <Rcpp.h>

#include <deque>

#include "core/tree/predict.h"
#include "core/tree/predict_binned.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

// Discriminants as an array of rows x outputs x stages.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector forest_predict(const Rcpp::List& forest,
                                   const Rcpp::NumericVector& weights,
                                   const Rcpp::RObject& x,
                                   const Rcpp::IntegerVector& stages, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const rankmix::tree::ForestView& view = of_r.view();
    const int outputs = static_cast<int>(view.outputs);
    return rankmix::with_predictable(x, [&](const auto& features) {
      const int rows = static_cast<int>(features.rows());
      auto out = rankmix::new_zeros<Rcpp::NumericVector>(
          features.rows() * view.outputs * static_cast<std::size_t>(stages.size()));
      rankmix::tree::predict_staged(view, rankmix::double_view(weights), features,
                                    rankmix::int_view(stages), host, REAL(out));
      out.attr("dim") =
          Rcpp::IntegerVector::create(rows, outputs, static_cast<int>(stages.size()));
      return out;
    });
  });
}

// Predicts with the first `rounds` rounds of each forest. Returns a list of matrices,
// documents x outputs.
// [[Rcpp::export(rng = false)]]
Rcpp::List forests_predict(const Rcpp::List& forests, const Rcpp::List& weights,
                           const Rcpp::RObject& x, const Rcpp::IntegerVector& rounds,
                           int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto features = rankmix::dense_view(x);
    std::deque<rankmix::ForestOfR> of_r;
    std::deque<Rcpp::NumericVector> of_rounds;
    std::vector<rankmix::tree::ForestPrediction> predictions;
    Rcpp::List out(forests.size());
    for (R_xlen_t i = 0; i < forests.size(); ++i) {
      of_r.emplace_back(Rcpp::List(forests[i]));
      const rankmix::tree::ForestView& forest = of_r.back().view();
      auto sums = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
          features.rows(), static_cast<std::size_t>(forest.outputs));
      out[i] = sums;
      of_rounds.emplace_back(weights[i]);
      predictions.push_back({forest,
                             rankmix::double_view(of_rounds.back()),
                             {rounds.begin() + i, 1},
                             REAL(sums)});
    }
    rankmix::tree::predict_forests(predictions, features, host);
    return out;
  });
}

// Validation features. A fit in progress adds the sums of its rounds for them.
// [[Rcpp::export(rng = false)]]
HeldOutPointer held_out_start(const Rcpp::RObject& x) {
  return HeldOutPointer(new rankmix::HeldOut(x));
}
