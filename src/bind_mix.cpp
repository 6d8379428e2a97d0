// Glue: mixtures.
#include <Rcpp.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/mix/aggregate.h"
#include "core/mix/chain.h"
#include "core/mix/mixture.h"
#include "host_parallel.h"
#include "views_r.h"

// [[Rcpp::export(rng = false)]]
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

// One vector of doubles a member, where R has them: nothing is copied.
// [[Rcpp::export]]
Rcpp::NumericMatrix mix_first(const Rcpp::List& members, const Rcpp::IntegerVector& order,
                              const Rcpp::NumericVector& weights,
                              const Rcpp::IntegerVector& ends, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    std::vector<const double*> columns;
    const R_xlen_t rows = members.size() > 0 ? Rf_xlength(members[0]) : 0;
    for (R_xlen_t j = 0; j < members.size(); ++j) {
      const SEXP column = members[j];
      if (TYPEOF(column) != REALSXP || Rf_xlength(column) != rows) {
        throw rankmix::InvalidArgument("members are not doubles of one length");
      }
      columns.push_back(REAL(column));
    }
    Rcpp::NumericMatrix out(static_cast<int>(rows), ends.size());
    rankmix::mix::mix_first(columns, rankmix::int_view(order),
                            rankmix::double_view(weights), rankmix::int_view(ends), host,
                            rankmix::writable_view(out));
    return out;
  });
}

// `scores` is documents x rankers.
// [[Rcpp::export]]
Rcpp::NumericVector aggregate_scores(const Rcpp::NumericMatrix& scores,
                                     const Rcpp::IntegerVector& order,
                                     const Rcpp::IntegerVector& offsets,
                                     const std::string& method, double damping,
                                     int threads) {
  return rankmix::guarded([&] {
    using rankmix::mix::Aggregation;
    static const std::map<std::string, Aggregation> methods = {
        {"borda", Aggregation::kBorda}, {"mc1", Aggregation::kMc1},
        {"mc2", Aggregation::kMc2},     {"mc3", Aggregation::kMc3},
        {"mc4", Aggregation::kMc4},     {"borda_chain", Aggregation::kBordaChain}};
    const auto entry = methods.find(method);
    if (entry == methods.end()) {
      throw rankmix::InvalidArgument("unknown aggregation " + method);
    }
    rankmix::RHost host(threads, R_NilValue);
    const std::vector<double> out = rankmix::mix::aggregate_ranks(
        rankmix::matrix_view(scores),
        {rankmix::int_view(order), rankmix::int_view(offsets)}, entry->second, damping,
        host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// A square matrix a query in `chances`; scores query after query.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector chain_scores(const Rcpp::NumericVector& chances,
                                 const Rcpp::IntegerVector& offsets, double damping,
                                 int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const std::vector<double> scores = rankmix::mix::chain_scores(
        rankmix::double_view(chances), rankmix::int_view(offsets), damping, host);
    return Rcpp::NumericVector(scores.begin(), scores.end());
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
