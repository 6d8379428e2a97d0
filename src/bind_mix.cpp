// Glue: mixtures.
#include <Rcpp.h>

#include "core/base/random.h"
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

// Seeds of the classifiers of a mixture: whole numbers below 2^53.
// [[Rcpp::export]]
Rcpp::NumericVector classifier_seeds(double seed, int count) {
  Rcpp::NumericVector seeds(count);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = rankmix::random_bits(static_cast<std::uint64_t>(seed),
                                                    rankmix::Purpose::kClassifier, 0,
                                                    static_cast<std::uint64_t>(i));
    seeds[i] = static_cast<double>(bits >> 11);
  }
  return seeds;
}
