// Glue: mixtures.
#include <Rcpp.h>

#include "core/mix/mixture.h"
#include "host_parallel.h"
#include "views_r.h"

// [[Rcpp::export]]
Rcpp::NumericMatrix mix_scores(const Rcpp::NumericMatrix& scores,
                               const Rcpp::NumericMatrix& weights, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    Rcpp::NumericMatrix out(scores.nrow(), weights.ncol());
    rankmix::mix::mix_scores(rankmix::matrix_view(scores), rankmix::matrix_view(weights),
                             host, rankmix::writable_view(out));
    return out;
  });
}
