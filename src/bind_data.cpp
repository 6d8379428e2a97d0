// Glue: LETOR text and bins.
#include "bind_data.h"

#include <Rcpp.h>

#include "core/base/errors.h"
#include "core/data/fields.h"
#include "core/data/letor.h"
#include "core/data/scan.h"
#include "core/data/text.h"
#include "host_files.h"
#include "host_parallel.h"
#include "views_r.h"

using rankmix::RHost;

// What went wrong with a file: `kind` is "parse" or "file".
static Rcpp::List text_failure(const std::string& kind, const std::string& problem) {
  return Rcpp::List::create(Rcpp::Named("kind") = kind, Rcpp::Named("error") = problem);
}

// Pushes a file through a parser: nothing, or a list with the element `error`.
template <class Parser>
static Rcpp::List parse_file(const std::string& path, Parser& parser) {
  RHost host(1, R_NilValue);
  try {
    rankmix::TextFile file(path);
    while (file.next()) {
      host.checkpoint();
      parser.feed(file.data(), file.size());
    }
    parser.finish();
  } catch (const rankmix::FileError& e) {
    return text_failure("file", e.what());
  } catch (const rankmix::data::TextError& e) {
    Rcpp::List failure = text_failure("parse", e.what());
    failure["line"] = static_cast<double>(e.line);
    failure["found"] = e.found;
    failure["remedy"] = e.remedy;
    return failure;
  }
  return Rcpp::List();
}

static Rcpp::CharacterVector utf8_vector(const std::vector<std::string>& strings,
                                         std::size_t rows) {
  Rcpp::CharacterVector out(static_cast<R_xlen_t>(rows), NA_STRING);
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (!strings[i].empty()) {
      SET_STRING_ELT(out, static_cast<R_xlen_t>(i),
                     Rf_mkCharLenCE(strings[i].data(),
                                    static_cast<int>(strings[i].size()), CE_UTF8));
    }
  }
  return out;
}

// The data of a file, or a list with the element `error`. `document` is NULL where no
// line has an id.
// [[Rcpp::export]]
Rcpp::List letor_parse(const std::string& path) {
  return rankmix::guarded([&]() -> Rcpp::List {
    rankmix::data::LetorParser parser;
    const Rcpp::List failure = parse_file(path, parser);
    if (failure.size() > 0) {
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
    Rcpp::RObject document = R_NilValue;
    if (!parser.documents().empty()) {
      document = utf8_vector(parser.documents(), parser.rows());
    }
    return Rcpp::List::create(Rcpp::Named("x") = x,
                              Rcpp::Named("relevance") = parser.grades(),
                              Rcpp::Named("query") = parser.queries(),
                              Rcpp::Named("query_ids") = parser.query_ids(),
                              Rcpp::Named("document") = document);
  });
}

// The columns of a text of fields, see core/data/fields.h, and the `line` of each row; or
// a list with the element `error`.
// [[Rcpp::export]]
Rcpp::List fields_parse(const std::string& path, const std::string& format,
                        const std::string& usage) {
  return rankmix::guarded([&]() -> Rcpp::List {
    rankmix::data::FieldParser parser(format, usage);
    const Rcpp::List failure = parse_file(path, parser);
    if (failure.size() > 0) {
      return failure;
    }
    Rcpp::List columns;
    for (std::size_t field = 0; field < format.size(); ++field) {
      if (format[field] == 's') {
        columns.push_back(utf8_vector(parser.strings(field), parser.rows()));
      } else if (format[field] != '-') {
        columns.push_back(Rcpp::wrap(parser.numbers(field)));
      }
    }
    const std::vector<std::size_t>& lines = parser.line_of_row();
    columns.push_back(Rcpp::NumericVector(lines.begin(), lines.end()));
    return columns;
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
