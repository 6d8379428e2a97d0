// Glue: LETOR text and bins.
#include "bind_data.h"

#include <Rcpp.h>

#include "core/base/errors.h"
#include "core/data/letor.h"
#include "core/data/scan.h"
#include "host_files.h"
#include "host_parallel.h"
#include "views_r.h"

using rankmix::RHost;

// What went wrong with a file: `kind` is "parse" or "file".
static Rcpp::List letor_failure(const std::string& kind, const std::string& problem) {
  return Rcpp::List::create(Rcpp::Named("kind") = kind, Rcpp::Named("error") = problem);
}

// The data of a file, or a list with the element `error`.
// [[Rcpp::export]]
Rcpp::List letor_parse(const std::string& path) {
  return rankmix::guarded([&]() -> Rcpp::List {
    RHost host(1, R_NilValue);
    rankmix::data::LetorParser parser;
    try {
      rankmix::TextFile file(path);
      while (file.next()) {
        host.checkpoint();
        parser.feed(file.data(), file.size());
      }
      parser.finish();
    } catch (const rankmix::FileError& e) {
      return letor_failure("file", e.what());
    } catch (const rankmix::data::LetorError& e) {
      Rcpp::List failure = letor_failure("parse", e.what());
      failure["line"] = static_cast<double>(e.line);
      failure["found"] = e.found;
      failure["remedy"] = e.remedy;
      return failure;
    }
    Rcpp::NumericMatrix x(static_cast<int>(parser.rows()),
                          static_cast<int>(parser.features()));
    parser.release_features(rankmix::writable_view(x));
    // R tells its missing value from other NaNs by their bits.
    for (double& value : x) {
      if (value != value) {
        value = NA_REAL;
      }
    }
    return Rcpp::List::create(Rcpp::Named("x") = x,
                              Rcpp::Named("relevance") = parser.grades(),
                              Rcpp::Named("query") = parser.queries(),
                              Rcpp::Named("query_ids") = parser.query_ids());
  });
}

// [[Rcpp::export]]
BinsPointer bin_features(const Rcpp::NumericMatrix& x, int max_bins, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    rankmix::data::BinOptions options;
    options.max_bins = max_bins;
    return BinsPointer(
        new rankmix::data::BinnedMatrix(rankmix::matrix_view(x), options, host));
  });
}

// `infinite` is empty or the row and column, from 1, of the first infinite value.
// [[Rcpp::export]]
Rcpp::List scan_features(const Rcpp::NumericMatrix& x, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const rankmix::data::FeatureScan scan =
        rankmix::data::scan_features(rankmix::matrix_view(x), host);
    Rcpp::IntegerVector infinite;
    if (scan.has_infinite) {
      infinite = Rcpp::IntegerVector::create(static_cast<int>(scan.infinite_row) + 1,
                                             static_cast<int>(scan.infinite_col) + 1);
    }
    return Rcpp::List::create(Rcpp::Named("infinite") = infinite,
                              Rcpp::Named("constant") = Rcpp::LogicalVector(
                                  scan.constant.begin(), scan.constant.end()),
                              Rcpp::Named("missing") = scan.missing);
  });
}
