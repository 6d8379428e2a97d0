// Glue: comparisons of rankers.
#include <Rcpp.h>

#include "core/base/hash.h"
#include "core/compare/digest.h"
#include "core/compare/resample.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

// The p-value, the number of sign patterns, and whether these are all patterns.
// [[Rcpp::export(rng = false)]]
Rcpp::List sign_flip_test(const Rcpp::NumericVector& differences, double resamples,
                          double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::compare::SignFlips found = rankmix::compare::sign_flips(
        rankmix::double_view(differences), static_cast<std::size_t>(resamples),
        static_cast<std::uint64_t>(seed), host);
    return Rcpp::List::create(
        Rcpp::Named("p") = found.p_value(),
        Rcpp::Named("patterns") = static_cast<double>(found.patterns),
        Rcpp::Named("exact") = found.exact);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector bootstrap_means(const Rcpp::NumericVector& differences,
                                    const Rcpp::NumericVector& weights, double resamples,
                                    double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return Rcpp::wrap(rankmix::compare::bootstrap_means(
        rankmix::double_view(differences), rankmix::double_view(weights),
        static_cast<std::size_t>(resamples), static_cast<std::uint64_t>(seed), host));
  });
}

// Digests of the grades, and if `documents` is not NULL, of the grades with document ids.
// [[Rcpp::export(rng = false)]]
Rcpp::List grade_digests(const Rcpp::IntegerVector& grades, SEXP documents,
                         const Rcpp::IntegerVector& order,
                         const Rcpp::IntegerVector& offsets) {
  return rankmix::guarded([&] {
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const auto digests = [&](const std::vector<std::uint64_t>& hashes) {
      return Rcpp::wrap(
          rankmix::compare::grade_digests(rankmix::int_view(grades), hashes, queries));
    };
    Rcpp::List found = Rcpp::List::create(Rcpp::Named("grades") = digests({}));
    if (!Rf_isNull(documents)) {
      std::vector<std::uint64_t> hashes(static_cast<std::size_t>(Rf_xlength(documents)));
      for (std::size_t i = 0; i < hashes.size(); ++i) {
        const SEXP id = STRING_ELT(documents, static_cast<R_xlen_t>(i));
        hashes[i] =
            rankmix::hash_text(CHAR(id), static_cast<std::size_t>(Rf_xlength(id)));
      }
      found["documents"] = digests(hashes);
    }
    return found;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector ranking_digests(const Rcpp::IntegerVector& ranked,
                                    const Rcpp::IntegerVector& offsets) {
  return rankmix::guarded([&] {
    return Rcpp::wrap(rankmix::compare::ranking_digests(
        {rankmix::int_view(ranked), rankmix::int_view(offsets)}));
  });
}
