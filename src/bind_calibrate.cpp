// Glue: calibration.
#include <Rcpp.h>

#include "core/calibrate/sigmoid.h"
#include "host_parallel.h"
#include "views_r.h"

// `weights` is empty where all documents weigh the same.
// [[Rcpp::export]]
Rcpp::NumericVector log_sigmoid_target(const Rcpp::NumericMatrix& f,
                                       const Rcpp::IntegerVector& grades,
                                       const Rcpp::NumericVector& weights, double a,
                                       double b, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::calibrate::SigmoidTarget target = rankmix::calibrate::log_sigmoid(
        rankmix::matrix_view(f), rankmix::int_view(grades), rankmix::double_view(weights),
        a, b, host);
    return Rcpp::NumericVector::create(Rcpp::Named("value") = target.value,
                                       Rcpp::Named("da") = target.da,
                                       Rcpp::Named("db") = target.db);
  });
}

// [[Rcpp::export]]
Rcpp::NumericMatrix sigmoid_probabilities(const Rcpp::NumericMatrix& f, double a,
                                          double b, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    Rcpp::NumericMatrix out(f.nrow(), f.ncol());
    rankmix::calibrate::sigmoid_probabilities(rankmix::matrix_view(f), a, b, host,
                                              rankmix::writable_view(out));
    return out;
  });
}
