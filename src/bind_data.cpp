// Glue: LETOR text and bins.
#include "bind_data.h"

#include <Rcpp.h>

#include "glue_size.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/data/fields.h"
#include "core/data/leaks.h"
#include "core/data/letor.h"
#include "core/data/letor_write.h"
#include "core/data/missing.h"
#include "core/data/scan.h"
#include "core/data/standardize.h"
#include "core/data/text.h"
#include "core/data/training_digest.h"
#include "host_files.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "text_r.h"
#include "views_r.h"

using rankmix::read_text;
using rankmix::RHost;
using rankmix::utf8_vector;

template <class Number>
static Rcpp::NumericVector numbers_vector(const std::vector<Number>& numbers) {
  auto out = rankmix::new_vector<Rcpp::NumericVector>(numbers.size());
  std::transform(numbers.begin(), numbers.end(), out.begin(),
                 [](Number number) { return static_cast<double>(number); });
  return out;
}

// The slots of a dgCMatrix, from which R makes the matrix.
static Rcpp::List sparse_columns(const rankmix::data::CompressedRows& rows, int columns) {
  const auto entries = static_cast<R_xlen_t>(rows.values.size());
  if (entries > std::numeric_limits<int>::max()) {
    throw rankmix::FileError("more than 2147483647 values that are not 0");
  }
  auto starts =
      rankmix::new_zeros<Rcpp::IntegerVector>(static_cast<std::size_t>(columns) + 1);
  auto row_of = rankmix::new_vector<Rcpp::IntegerVector>(rows.values.size());
  auto values = rankmix::new_vector<Rcpp::NumericVector>(rows.values.size());
  rankmix::data::to_columns(
      rows, {INTEGER(starts), static_cast<std::size_t>(columns) + 1},
      {INTEGER(row_of), rows.values.size()}, {REAL(values), rows.values.size()});
  return Rcpp::List::create(Rcpp::Named("p") = starts, Rcpp::Named("i") = row_of,
                            Rcpp::Named("x") = values);
}

using TextFiles = std::vector<std::unique_ptr<rankmix::TextFile>>;

// Reads the features of counted files into a matrix, or the slots of a sparse one. `at`
// is the index of the current file.
static Rcpp::RObject read_features(rankmix::data::LetorReader& reader, TextFiles& files,
                                   bool sparse, int columns,
                                   rankmix::View<double> relevance,
                                   rankmix::View<int> queries, int& at) {
  const int count = static_cast<int>(files.size());
  if (sparse) {
    rankmix::data::CompressedRows rows;
    for (at = 0; at < count; ++at) {
      reader.read(*files[static_cast<std::size_t>(at)], rows, relevance, queries);
    }
    at = 0;
    return sparse_columns(rows, columns);
  }
  auto x = rankmix::new_matrix<Rcpp::NumericMatrix>(reader.rows(),
                                                    static_cast<std::size_t>(columns));
  // Names are set here, because R would copy the matrix to set them.
  const Rcpp::CharacterVector names = rankmix::made_texts(
      static_cast<std::size_t>(columns),
      [](std::size_t f, std::string& text) { text = "f" + std::to_string(f + 1); });
  x.attr("dimnames") = Rcpp::List::create(R_NilValue, names);
  for (at = 0; at < count; ++at) {
    reader.read(*files[static_cast<std::size_t>(at)], rankmix::writable_view(x),
                relevance, queries);
  }
  return x;
}

// Reads the data of several files, with at least `features` features. Returns a list with
// the element `error` on failure. `document` is NULL if no line has an id. There are
// queries only if lines have a qid.
// [[Rcpp::export(rng = false)]]
Rcpp::List letor_parse(const std::vector<std::string>& paths, int features, bool sparse,
                       bool queries, bool graded, int threads) {
  return rankmix::guarded([&] {
    return read_text([&](int& at) {
      RHost host(threads, R_NilValue);
      rankmix::data::LetorOptions options;
      options.max_index =
          sparse ? rankmix::data::kMaxSparseIndex : rankmix::data::kMaxDenseIndex;
      options.queries = queries;
      options.graded = graded;
      options.missing = NA_REAL;
      rankmix::data::LetorReader reader(options, host);
      TextFiles files;
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
      const int columns = std::max(features, static_cast<int>(reader.features()));
      auto relevance = rankmix::new_vector<Rcpp::NumericVector>(reader.rows());
      auto query = rankmix::new_vector<Rcpp::IntegerVector>(queries ? reader.rows() : 0);
      const Rcpp::RObject x =
          read_features(reader, files, sparse, columns, {REAL(relevance), reader.rows()},
                        {INTEGER(query), static_cast<std::size_t>(query.size())}, at);
      Rcpp::RObject document = R_NilValue;
      if (!reader.documents().empty()) {
        document = utf8_vector(reader.documents(), reader.rows());
      }
      return Rcpp::List::create(
          Rcpp::Named("x") = x, Rcpp::Named("features") = columns,
          Rcpp::Named("relevance") = relevance, Rcpp::Named("query") = query,
          Rcpp::Named("query_ids") =
              utf8_vector(reader.query_ids(), reader.query_ids().size()),
          Rcpp::Named("document") = document,
          Rcpp::Named("scattered") = static_cast<double>(reader.scattered()));
    });
  });
}

static rankmix::MatrixView<const double> by_row(rankmix::MatrixView<const double> x) {
  return x;
}
static rankmix::data::SparseRowsView by_row(const rankmix::SparseView& transposed) {
  return rankmix::data::SparseRowsView(transposed);
}

// Writes LETOR text. Returns NULL, or a description of the failure. `x` is a matrix, or a
// transposed sparse matrix. `order` lists the rows to write, from 0; empty: all in order.
// `query` has indices in `query_ids`, from 1; if `query_ids` is empty, no qid is written.
// `document` is empty, or has an id or NA for each row.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject letor_write(const std::string& path, const Rcpp::RObject& x,
                          const Rcpp::NumericVector& relevance,
                          const Rcpp::IntegerVector& query,
                          const Rcpp::CharacterVector& query_ids,
                          const Rcpp::CharacterVector& document,
                          const Rcpp::IntegerVector& order, bool compress, int threads) {
  return rankmix::guarded([&]() -> Rcpp::RObject {
    // R's strings can be accessed on R's thread only.
    std::vector<const char*> ids;
    for (R_xlen_t q = 0; q < query_ids.size(); ++q) {
      ids.push_back(CHAR(STRING_ELT(query_ids, q)));
    }
    std::vector<const char*> documents;
    for (R_xlen_t i = 0; i < document.size(); ++i) {
      const SEXP id = STRING_ELT(document, i);
      documents.push_back(id == NA_STRING ? nullptr : CHAR(id));
    }
    const rankmix::View<const double> values(REAL(relevance),
                                             static_cast<std::size_t>(relevance.size()));
    const rankmix::View<const int> queries = rankmix::int_view(query);
    auto row_of = [&](std::size_t i) {
      return rankmix::data::LetorRow{
          values[i],
          ids.empty() ? nullptr : ids[static_cast<std::size_t>(queries[i] - 1)],
          documents.empty() ? nullptr : documents[i]};
    };
    try {
      RHost host(threads, R_NilValue);
      rankmix::OutputFile file(path, compress);
      rankmix::with_features(x, [&](const auto& view) {
        rankmix::data::write_letor(by_row(view), rankmix::int_view(order), row_of, host,
                                   file);
      });
      file.close();
    } catch (const rankmix::FileError& e) {
      return Rcpp::wrap(std::string(e.what()));
    }
    return R_NilValue;
  });
}

// Parses a text of fields (core/data/fields.h). Returns the columns and the `line` of
// each row, with the format as an attribute, or a list with the element `error`.
// [[Rcpp::export(rng = false)]]
Rcpp::List fields_parse(const std::string& path, const std::string& formats,
                        const std::string& usage) {
  return rankmix::guarded([&] {
    return read_text([&](int&) {
      rankmix::TextFile file(path);
      rankmix::data::FieldParser parser(formats, usage);
      RHost host(1, R_NilValue);
      parser.read(file, host);
      const std::string& format = parser.format();
      Rcpp::List columns;
      for (std::size_t field = 0; field < format.size(); ++field) {
        if (format[field] == 's' || format[field] == 'q' || format[field] == 'c') {
          columns.push_back(utf8_vector(parser.strings(field), parser.rows()));
        } else if (format[field] == 'd' || format[field] == 'i') {
          columns.push_back(numbers_vector(parser.numbers(field)));
        }
      }
      const std::vector<std::size_t>& lines = parser.line_of_row();
      columns.push_back(numbers_vector(lines));
      columns.attr("format") = format;
      return columns;
    });
  });
}

// Reads a text to its end. Returns NULL, or a list with the element `error` if it cannot
// be read or contains a NUL byte. If `copy` is not empty, the decompressed text is
// written there.
// [[Rcpp::export(rng = false)]]
Rcpp::RObject text_check(const std::string& path, const std::string& copy) {
  return rankmix::guarded([&] {
    const Rcpp::List failure = read_text([&](int&) {
      rankmix::TextFile file(path);
      std::unique_ptr<rankmix::OutputFile> out;
      if (!copy.empty()) {
        out = std::make_unique<rankmix::OutputFile>(copy, false);
      }
      std::size_t line = 1;
      RHost host(1, R_NilValue);
      for (const auto* batch = &file.next(); !batch->empty(); batch = &file.next()) {
        host.checkpoint();
        for (const rankmix::data::TextPiece& piece : *batch) {
          line = rankmix::data::check_no_nul(piece, line);
          if (out) {
            out->write(std::string(piece.begin, piece.end));
          }
        }
      }
      if (out) {
        out->close();
      }
      return Rcpp::List();
    });
    return failure.size() == 0 ? Rcpp::RObject() : Rcpp::RObject(failure);
  });
}

// If `weights` of rows are empty, all rows have equal weights. Whole weights are counts.
// [[Rcpp::export(rng = false)]]
BinsPointer bin_features(const Rcpp::RObject& x, int max_bins, bool single_features,
                         const Rcpp::NumericVector& weights, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    rankmix::data::BinOptions options;
    options.max_bins = max_bins;
    options.single_features = single_features;
    options.weights = rankmix::double_view(weights);
    return rankmix::with_features(x, [&](const auto& view) {
      BinsPointer bins(new rankmix::data::BinnedMatrix(view, options, host));
#if defined(__GLIBC__)
      // Sorting needs tens of bytes per row. glibc would keep that memory for each thread.
      malloc_trim(0);
#endif
      return bins;
    });
  });
}

std::string rankmix::hexadecimal(std::uint64_t number) {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << number;
  return text.str();
}

// A digest of the training data, as 16 hexadecimal digits. If `weights` is empty, all
// rows have equal weights. `cluster` is the communicator of the ranks, or NULL.
// [[Rcpp::export(rng = false)]]
std::string training_digest(BinsPointer bins, const Rcpp::IntegerVector& grades,
                            const Rcpp::NumericVector& weights, int threads,
                            const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue, cluster);
    const auto mark = rankmix::data::training_digest(*bins, rankmix::int_view(grades),
                                                     rankmix::double_view(weights), host);
    return rankmix::hexadecimal(mark);
  });
}

template <class Append>
static Rcpp::CharacterVector texts_of(const Rcpp::NumericVector& numbers,
                                      const Append& append) {
  const auto values = rankmix::double_view(numbers);
  return rankmix::made_texts(values.size(), [&](std::size_t i, std::string& text) {
    const double value = values[i];
    if (std::isfinite(value)) {
      append(text, value);
    } else {
      text = R_IsNA(value)       ? "NA"
             : std::isnan(value) ? "NaN"
             : value > 0         ? "Inf"
                                 : "-Inf";
    }
  });
}

// The shortest text, without an exponent, that is read back as the same number.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector plain_number_texts(const Rcpp::NumericVector& numbers) {
  return texts_of(numbers, rankmix::data::append_plain_number);
}

// Each number with 17 significant digits.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector exact_number_texts(const Rcpp::NumericVector& numbers) {
  return texts_of(numbers, rankmix::data::append_exact_number);
}

// Texts of 64-bit integers that are stored in the bits of doubles, as in class integer64
// of the package bit64. The missing value of this class gives NA.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector whole_number_texts(const Rcpp::NumericVector& numbers) {
  const auto values = rankmix::double_view(numbers);
  return rankmix::made_texts(values.size(), [&](std::size_t i, std::string& text) {
    std::int64_t value = 0;
    std::memcpy(&value, &values[i], sizeof value);
    if (value != std::numeric_limits<std::int64_t>::min()) {
      text = std::to_string(value);
    }
  });
}

// Combines numeric or logical columns into a matrix of doubles with these names. Returns
// NULL if a column has another type or length.
// [[Rcpp::export(rng = false)]]
SEXP bind_columns(const Rcpp::List& columns, const Rcpp::CharacterVector& names) {
  if (columns.size() == 0 || columns.size() != names.size()) {
    return R_NilValue;
  }
  const R_xlen_t rows = Rf_xlength(columns[0]);
  for (R_xlen_t j = 0; j < columns.size(); ++j) {
    const SEXP column = columns[j];
    const int type = TYPEOF(column);
    if ((type != REALSXP && type != INTSXP && type != LGLSXP) || Rf_isObject(column) ||
        Rf_xlength(column) != rows || Rf_getAttrib(column, R_DimSymbol) != R_NilValue) {
      return R_NilValue;
    }
  }
  auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(
      static_cast<std::size_t>(rows), static_cast<std::size_t>(columns.size()));
  for (R_xlen_t j = 0; j < columns.size(); ++j) {
    const SEXP column = columns[j];
    double* to = REAL(out) + j * rows;
    if (TYPEOF(column) == REALSXP) {
      const double* from = REAL_RO(column);
      std::copy(from, from + rows, to);
    } else {
      const int* from =
          TYPEOF(column) == INTSXP ? INTEGER_RO(column) : LOGICAL_RO(column);
      std::transform(from, from + rows, to, [](int value) {
        return value == NA_INTEGER ? NA_REAL : static_cast<double>(value);
      });
    }
  }
  out.attr("dimnames") = Rcpp::List::create(R_NilValue, names);
  return out;
}

// A copy of a matrix, which no other R object shares.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix copy_matrix(const Rcpp::RObject& x) {
  const auto view = rankmix::dense_view(x);
  auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(view.rows(), view.cols());
  std::copy(view.col(0), view.col(view.cols()), out.begin());
  out.attr("dimnames") = x.attr("dimnames");
  return out;
}

// Changes a column, from 1, of a matrix made by copy_matrix(), in place.
// [[Rcpp::export(rng = false)]]
void write_column(const Rcpp::NumericMatrix& x, int column,
                  const Rcpp::NumericVector& values) {
  if (column < 1 || column > x.ncol() || values.size() != x.nrow()) {
    throw rankmix::InvalidArgument("the column does not fit the matrix");
  }
  std::copy(values.begin(), values.end(),
            REAL(x) + static_cast<R_xlen_t>(column - 1) * x.nrow());
}

// The row and column, from 1, of the first infinite value; empty if there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector find_infinite(const Rcpp::RObject& x, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const rankmix::data::FeatureScan scan = rankmix::with_features(
        x, [&](const auto& view) { return rankmix::data::find_infinite(view, host); });
    if (!scan.has_infinite) {
      return Rcpp::IntegerVector();
    }
    return Rcpp::IntegerVector::create(static_cast<int>(scan.infinite_row) + 1,
                                       static_cast<int>(scan.infinite_col) + 1);
  });
}

// `infinite` is the row and column, from 1, of the first infinite value; empty if there
// is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List scan_features(const Rcpp::RObject& x, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const rankmix::data::FeatureScan scan = rankmix::with_features(
        x, [&](const auto& view) { return rankmix::data::scan_features(view, host); });
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

// The mean of the known values and the number of missing values of each feature. If
// `weights` is empty, all rows have equal weights.
// [[Rcpp::export(rng = false)]]
Rcpp::List known_values(const Rcpp::RObject& x, const Rcpp::NumericVector& weights,
                        int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const rankmix::data::KnownValues known =
        rankmix::with_features(x, [&](const auto& view) {
          return rankmix::data::known_values(view, rankmix::double_view(weights), host);
        });
    return Rcpp::List::create(Rcpp::Named("mean") = known.mean,
                              Rcpp::Named("missing") = known.missing);
  });
}

// `marked` lists the features, from 0, that get an indicator column of missing values.
// The first `rows` rows are filled.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix fill_missing(const Rcpp::RObject& x, int rows,
                                 const Rcpp::NumericVector& numbers,
                                 const Rcpp::IntegerVector& marked, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const auto view = rankmix::dense_view(x);
    auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(rows),
        view.cols() + static_cast<std::size_t>(marked.size()));
    rankmix::data::fill_missing(view, 0, rankmix::double_view(numbers),
                                rankmix::int_view(marked), host,
                                rankmix::writable_view(out));
    return out;
  });
}

// Overwrites a result of fill_missing() with other rows of x, from row `first` (counted
// from 0) on.
// [[Rcpp::export(rng = false)]]
void refill_missing(Rcpp::NumericMatrix filled, const Rcpp::RObject& x, int first,
                    const Rcpp::NumericVector& numbers, const Rcpp::IntegerVector& marked,
                    int threads) {
  rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    rankmix::data::fill_missing(rankmix::dense_view(x), static_cast<std::size_t>(first),
                                rankmix::double_view(numbers), rankmix::int_view(marked),
                                host, rankmix::writable_view(filled));
  });
}

// For each feature: 0; 1 if it equals the grade; 2 if it increases with the grade; 3 if
// it decreases.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector find_leaks(const Rcpp::RObject& x, const Rcpp::IntegerVector& grades,
                               int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const std::vector<rankmix::data::Leak> leaks =
        rankmix::with_features(x, [&](const auto& view) {
          return rankmix::data::find_leaks(view, rankmix::int_view(grades), host);
        });
    Rcpp::IntegerVector out(static_cast<R_xlen_t>(leaks.size()));
    for (std::size_t f = 0; f < leaks.size(); ++f) {
      out[static_cast<R_xlen_t>(f)] = static_cast<int>(leaks[f]);
    }
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix standardize_features(const Rcpp::RObject& x,
                                         const Rcpp::IntegerVector& order,
                                         const Rcpp::IntegerVector& offsets,
                                         int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const auto view = rankmix::dense_view(x);
    auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(view.rows(), view.cols());
    rankmix::data::standardize(view,
                               {rankmix::int_view(order), rankmix::int_view(offsets)},
                               host, rankmix::writable_view(out));
    return out;
  });
}
