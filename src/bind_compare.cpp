// Glue: comparisons of rankers.
#include <Rcpp.h>

#include "core/base/hash.h"
#include "core/compare/digest.h"
#include "core/compare/flip_interval.h"
#include "core/compare/joint_flips.h"
#include "core/compare/pairs_above.h"
#include "core/compare/permuted_ranges.h"
#include "core/compare/resample.h"
#include "core/compare/signed_rank.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector bootstrap_means(const Rcpp::NumericVector& differences,
                                    const Rcpp::NumericVector& weights, double resamples,
                                    double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::copied(rankmix::compare::bootstrap_means(
        rankmix::double_view(differences), rankmix::double_view(weights),
        static_cast<std::size_t>(resamples), static_cast<std::uint64_t>(seed), host));
  });
}

// `pairs` has three columns: the first and the second ranker, from 0, and whether the
// pair is in the family. `alternative`: 0 two-sided, 1 greater, 2 less.
// [[Rcpp::export(rng = false)]]
Rcpp::List joint_sign_flips(const Rcpp::NumericMatrix& values,
                            const Rcpp::NumericVector& weights,
                            const Rcpp::IntegerVector& strata,
                            const Rcpp::IntegerMatrix& pairs, int alternative,
                            double level, double resamples, double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto rows = static_cast<std::size_t>(pairs.nrow());
    const auto column = [&](std::size_t j) {
      return rankmix::View<const int>(pairs.begin() + j * rows, rows);
    };
    const rankmix::compare::JointFlips found = rankmix::compare::joint_flips(
        {rankmix::matrix_view(values), rankmix::double_view(weights),
         rankmix::int_view(strata)},
        {column(0), column(1), column(2),
         static_cast<rankmix::compare::Alternative>(alternative)},
        level, static_cast<std::size_t>(resamples), static_cast<std::uint64_t>(seed),
        host);
    const auto fraction = [&](const std::vector<std::uint64_t>& counts) {
      Rcpp::NumericVector p(static_cast<R_xlen_t>(counts.size()));
      for (std::size_t i = 0; i < counts.size(); ++i) {
        p[static_cast<R_xlen_t>(i)] =
            static_cast<double>(counts[i]) / static_cast<double>(found.patterns);
      }
      return p;
    };
    return Rcpp::List::create(
        Rcpp::Named("changed") =
            Rcpp::NumericVector(found.changed.begin(), found.changed.end()),
        Rcpp::Named("statistic") = Rcpp::wrap(found.statistic),
        Rcpp::Named("marginal") = fraction(found.marginal),
        Rcpp::Named("single") = fraction(found.single),
        Rcpp::Named("stepped") = fraction(found.stepped),
        Rcpp::Named("best") = fraction(found.best),
        Rcpp::Named("critical") = found.critical,
        Rcpp::Named("patterns") = static_cast<double>(found.patterns),
        Rcpp::Named("exact") = found.exact);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector permuted_ranges(const Rcpp::NumericMatrix& values, double resamples,
                                    double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::copied(rankmix::compare::permuted_ranges(
        rankmix::matrix_view(values), static_cast<std::size_t>(resamples),
        static_cast<std::uint64_t>(seed), host));
  });
}

// Returns the lower and the upper end of the interval.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector flip_interval(const Rcpp::NumericVector& differences,
                                  const Rcpp::NumericVector& weights, double level,
                                  double resamples, double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::compare::Interval found = rankmix::compare::flip_interval(
        rankmix::double_view(differences), rankmix::double_view(weights), level,
        static_cast<std::size_t>(resamples), static_cast<std::uint64_t>(seed), host);
    return Rcpp::NumericVector::create(found.lower, found.upper);
  });
}

// The signed ranks of differences, which must not be empty. With more than `max_exact`
// differences, the exact probabilities `below` and `above` are NA.
// [[Rcpp::export(rng = false)]]
Rcpp::List signed_ranks(const Rcpp::NumericVector& differences, int max_exact) {
  return rankmix::guarded([&] {
    const auto view = rankmix::double_view(differences);
    const rankmix::compare::SignedRanks found =
        rankmix::compare::signed_ranks(view, static_cast<std::size_t>(max_exact));
    return Rcpp::List::create(
        Rcpp::Named("count") = static_cast<double>(found.count),
        Rcpp::Named("positive") = found.positive_doubled / 2.0,
        Rcpp::Named("ties") = found.ties, Rcpp::Named("exact") = found.exact,
        Rcpp::Named("below") = found.exact ? found.below : NA_REAL,
        Rcpp::Named("above") = found.exact ? found.above : NA_REAL,
        Rcpp::Named("pseudo_median") = rankmix::compare::pseudo_median(view));
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
      return rankmix::copied(
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
    return rankmix::copied(rankmix::compare::ranking_digests(
        {rankmix::int_view(ranked), rankmix::int_view(offsets)}));
  });
}

// For each item, in the order of y: the counts of items with a higher and with an equal
// rank of x, among the groups before and within its own group.
// [[Rcpp::export(rng = false)]]
Rcpp::List pairs_above(const Rcpp::IntegerVector& rank, const Rcpp::IntegerVector& ends) {
  return rankmix::guarded([&] {
    const rankmix::compare::PairsAbove pairs =
        rankmix::compare::pairs_above(rankmix::int_view(rank), rankmix::int_view(ends));
    return Rcpp::List::create(Rcpp::Named("higher_before") = pairs.higher_before,
                              Rcpp::Named("equal_before") = pairs.equal_before,
                              Rcpp::Named("higher_within") = pairs.higher_within,
                              Rcpp::Named("equal_within") = pairs.equal_within);
  });
}
