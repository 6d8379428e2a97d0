// Glue: LETOR text and bins.
#include "bind_data.h"

#include <Rcpp.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/data/fields.h"
#include "core/data/letor.h"
#include "core/data/letor_write.h"
#include "core/data/scan.h"
#include "core/data/standardize.h"
#include "core/data/text.h"
#include "host_files.h"
#include "host_parallel.h"
#include "views_r.h"

using rankmix::RHost;

// What went wrong with a file: `kind` is "parse" or "file".
static Rcpp::List text_failure(const std::string& kind, const std::string& problem) {
  return Rcpp::List::create(Rcpp::Named("kind") = kind, Rcpp::Named("error") = problem);
}

// What `read(at)` gives, or a list with the element `error`; read() leaves in `at` the
// position of the file that it reads.
template <class Read>
static Rcpp::List read_text(const Read& read) {
  int at = 0;
  Rcpp::List failure;
  try {
    return read(at);
  } catch (const rankmix::FileError& e) {
    failure = text_failure("file", e.what());
  } catch (const rankmix::InvalidArgument& e) {
    failure = text_failure("file", e.what());  // it changed between the two readings
  } catch (const rankmix::data::TextError& e) {
    failure = text_failure("parse", e.what());
    failure["line"] = static_cast<double>(e.line);
    failure["found"] = e.found;
    failure["remedy"] = e.remedy;
  }
  failure["file"] = at + 1;
  return failure;
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

// The data of files, one after the other, with at least so many features; or a list with
// the element `error`. `document` is NULL where no line has an id.
// [[Rcpp::export]]
Rcpp::List letor_parse(const std::vector<std::string>& paths, int features, int threads) {
  return rankmix::guarded([&] {
    return read_text([&](int& at) {
      RHost host(threads, R_NilValue);
      rankmix::data::LetorReader reader(host);
      std::vector<std::unique_ptr<rankmix::TextFile>> files;
      for (at = 0; at < static_cast<int>(paths.size()); ++at) {
        files.push_back(
            std::make_unique<rankmix::TextFile>(paths[static_cast<std::size_t>(at)]));
        reader.count(*files.back());
        files.back()->rewind();
      }
      at = 0;
      if (reader.rows() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw rankmix::FileError("more than 2147483647 documents");
      }
      const int rows = static_cast<int>(reader.rows());
      const int columns = std::max(features, static_cast<int>(reader.features()));
      Rcpp::NumericMatrix x = Rcpp::no_init(rows, columns);
      Rcpp::IntegerVector grades = Rcpp::no_init(rows);
      Rcpp::IntegerVector queries = Rcpp::no_init(rows);
      for (at = 0; at < static_cast<int>(paths.size()); ++at) {
        reader.read(*files[static_cast<std::size_t>(at)], rankmix::writable_view(x),
                    NA_REAL, {INTEGER(grades), reader.rows()},
                    {INTEGER(queries), reader.rows()});
      }
      Rcpp::RObject document = R_NilValue;
      if (!reader.documents().empty()) {
        document = utf8_vector(reader.documents(), reader.rows());
      }
      return Rcpp::List::create(
          Rcpp::Named("x") = x, Rcpp::Named("relevance") = grades,
          Rcpp::Named("query") = queries,
          Rcpp::Named("query_ids") =
              utf8_vector(reader.query_ids(), reader.query_ids().size()),
          Rcpp::Named("document") = document,
          Rcpp::Named("scattered") = static_cast<double>(reader.scattered()));
    });
  });
}

// Writes LETOR text: NULL, or what went wrong. `query` counts from 1 in `query_ids`;
// `document` is empty, or has an id or NA for each row.
// [[Rcpp::export]]
Rcpp::RObject letor_write(const std::string& path, const Rcpp::NumericMatrix& x,
                          const Rcpp::IntegerVector& relevance,
                          const Rcpp::IntegerVector& query,
                          const Rcpp::CharacterVector& query_ids,
                          const Rcpp::CharacterVector& document, bool compress,
                          int threads) {
  return rankmix::guarded([&]() -> Rcpp::RObject {
    // R's strings may be looked at on this thread only.
    std::vector<const char*> ids;
    for (R_xlen_t q = 0; q < query_ids.size(); ++q) {
      ids.push_back(CHAR(STRING_ELT(query_ids, q)));
    }
    std::vector<const char*> documents;
    for (R_xlen_t i = 0; i < document.size(); ++i) {
      const SEXP id = STRING_ELT(document, i);
      documents.push_back(id == NA_STRING ? nullptr : CHAR(id));
    }
    const rankmix::View<const int> grades = rankmix::int_view(relevance);
    const rankmix::View<const int> queries = rankmix::int_view(query);
    try {
      RHost host(threads, R_NilValue);
      rankmix::OutputFile file(path, compress);
      rankmix::data::write_letor(
          rankmix::matrix_view(x),
          [&](std::size_t i) {
            return rankmix::data::LetorRow{grades[i],
                                           ids[static_cast<std::size_t>(queries[i] - 1)],
                                           documents.empty() ? nullptr : documents[i]};
          },
          host, file);
      file.close();
    } catch (const rankmix::FileError& e) {
      return Rcpp::wrap(std::string(e.what()));
    }
    return R_NilValue;
  });
}

// The columns of a text of fields, see core/data/fields.h, and the `line` of each row; or
// a list with the element `error`.
// [[Rcpp::export]]
Rcpp::List fields_parse(const std::string& path, const std::string& format,
                        const std::string& usage) {
  return rankmix::guarded([&] {
    return read_text([&](int&) {
      rankmix::TextFile file(path);
      rankmix::data::FieldParser parser(format, usage);
      parser.read(file);
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

// [[Rcpp::export]]
Rcpp::NumericMatrix standardize_features(const Rcpp::NumericMatrix& x,
                                         const Rcpp::IntegerVector& order,
                                         const Rcpp::IntegerVector& offsets,
                                         int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    Rcpp::NumericMatrix out = Rcpp::no_init(x.nrow(), x.ncol());
    rankmix::data::standardize(rankmix::matrix_view(x),
                               {rankmix::int_view(order), rankmix::int_view(offsets)},
                               host, rankmix::writable_view(out));
    return out;
  });
}
