// Glue: binned data, made from tables that are larger than the memory.
#include "bind_binned.h"

#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/data/bins_file.h"
#include "core/data/bins_taken.h"
#include "core/data/leaks.h"
#include "core/data/row_content.h"
#include "core/data/shared_queries.h"
#include "core/data/shared_tallies.h"
#include "core/data/stored_bins.h"
#include "core/data/training_digest.h"
#include "core/explain/stored_keys.h"
#include "core/regress/content_order.h"
#include "glue_size.h"
#include "host_files.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "text_r.h"
#include "views_r.h"

namespace data = rankmix::data;
using rankmix::RHost;

namespace {

// R stores the 64-bit marks of rows in doubles.
static_assert(sizeof(double) == sizeof(std::uint64_t), "doubles have 64 bits");
rankmix::View<std::uint64_t> bits_view(Rcpp::NumericVector& x) {
  return {reinterpret_cast<std::uint64_t*>(REAL(x)), static_cast<std::size_t>(x.size())};
}

std::vector<std::size_t> from_zero(const Rcpp::IntegerVector& indices) {
  std::vector<std::size_t> out;
  for (int i : indices) {
    out.push_back(static_cast<std::size_t>(i) - 1);
  }
  return out;
}

class MemorySink : public data::BinSink {
 public:
  explicit MemorySink(std::uint8_t* to) : to_(to) {}
  void put(std::uint64_t at, rankmix::View<const std::uint8_t> bins) override {
    std::copy(bins.begin(), bins.end(), to_ + at);
  }

 private:
  std::uint8_t* to_;
};

class FileSink : public data::BinSink {
 public:
  explicit FileSink(rankmix::DiskFile& file) : file_(file) {}
  void put(std::uint64_t at, rankmix::View<const std::uint8_t> bins) override {
    file_.write(data::kBinsBegin + at, bins);
  }

 private:
  rankmix::DiskFile& file_;
};

// The description of a failure of a file.
template <class Use>
Rcpp::List with_file(const Use& use) {
  try {
    return use();
  } catch (const rankmix::FileError& e) {
    return Rcpp::List::create(Rcpp::Named("error") = std::string(e.what()));
  } catch (const data::BinsFileError& e) {
    return Rcpp::List::create(Rcpp::Named("error") = std::string(e.what()));
  }
}

template <class T>
void put(std::vector<std::uint8_t>& out, const T* values, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

// The elements of a vector. R may have to compute them, and may raise an error.
template <class T>
const T* elements_of(SEXP values) {
  const void* elements = nullptr;
  Rcpp::unwindProtect([values, &elements] {
    elements = DATAPTR_RO(values);
    return R_NilValue;
  });
  return static_cast<const T*>(elements);
}

template <class T>
rankmix::View<const std::uint8_t> bytes_of(SEXP values) {
  return {reinterpret_cast<const std::uint8_t*>(elements_of<T>(values)),
          static_cast<std::size_t>(Rf_xlength(values)) * sizeof(T)};
}

std::vector<std::uint8_t> bytes_of_texts(SEXP values) {
  std::vector<std::uint8_t> bytes;
  const SEXP* texts = elements_of<SEXP>(values);
  for (R_xlen_t i = 0; i < Rf_xlength(values); ++i) {
    const SEXP text = texts[i];
    const std::uint32_t size = text == NA_STRING
                                   ? data::BinsSection::kNoText
                                   : static_cast<std::uint32_t>(LENGTH(text));
    put(bytes, &size, 1);
    if (text != NA_STRING) {
      put(bytes, CHAR(text), size);
    }
  }
  return bytes;
}

// The section views the elements of the vector. Texts have their bytes in `texts`.
data::BinsSection section_of(const std::string& name, SEXP values,
                             std::deque<std::vector<std::uint8_t>>& texts) {
  data::BinsSection section;
  section.name = name;
  section.count = static_cast<std::uint64_t>(Rf_xlength(values));
  if (TYPEOF(values) == INTSXP || TYPEOF(values) == LGLSXP) {
    section.type = data::BinsSection::kIntegers;
    section.bytes = bytes_of<int>(values);
  } else if (TYPEOF(values) == REALSXP) {
    section.type = data::BinsSection::kDoubles;
    section.bytes = bytes_of<double>(values);
  } else if (TYPEOF(values) == STRSXP) {
    section.type = data::BinsSection::kTexts;
    section.bytes = texts.emplace_back(bytes_of_texts(values));
  } else {
    throw rankmix::InvalidArgument("the section " + name + " is no vector");
  }
  return section;
}

Rcpp::RObject to_r(const data::BinsSection& section) {
  const std::uint8_t* at = section.bytes.data();
  if (section.type == data::BinsSection::kIntegers) {
    auto out = rankmix::new_vector<Rcpp::IntegerVector>(section.count);
    std::memcpy(INTEGER(out), at, section.bytes.size());
    return out;
  }
  if (section.type == data::BinsSection::kDoubles) {
    auto out = rankmix::new_vector<Rcpp::NumericVector>(section.count);
    std::memcpy(REAL(out), at, section.bytes.size());
    return out;
  }
  auto out = rankmix::new_vector<Rcpp::CharacterVector>(section.count);
  const SEXP texts = out;
  Rcpp::unwindProtect([texts, at, count = section.count]() mutable {
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t size = 0;
      std::memcpy(&size, at, sizeof size);
      at += sizeof size;
      if (size == data::BinsSection::kNoText) {
        SET_STRING_ELT(texts, static_cast<R_xlen_t>(i), NA_STRING);
        continue;
      }
      SET_STRING_ELT(texts, static_cast<R_xlen_t>(i),
                     Rf_mkCharLenCE(reinterpret_cast<const char*>(at),
                                    static_cast<int>(size), CE_UTF8));
      at += size;
    }
    return R_NilValue;
  });
  return out;
}

// Writes the index after the bins, and the header at the start of the file.
void finish_file(rankmix::DiskFile& file, data::BinsIndex& index,
                 const Rcpp::List& sections) {
  const Rcpp::CharacterVector names(sections.names());
  std::deque<std::vector<std::uint8_t>> texts;
  for (R_xlen_t i = 0; i < sections.size(); ++i) {
    index.sections.push_back(
        section_of(Rcpp::as<std::string>(names[i]), sections[i], texts));
  }
  std::uint64_t at = data::kBinsBegin + index.bytes_of_bins();
  const std::vector<std::uint8_t> header =
      data::write_index(index, [&](rankmix::View<const std::uint8_t> piece) {
        file.write(at, piece);
        at += piece.size();
      });
  file.write(0, header);
  file.close();
}

std::vector<data::FeatureBins> features_of(const data::BinnedMatrix& bins) {
  std::vector<data::FeatureBins> features;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    features.push_back(bins.feature(f));
  }
  return features;
}

}  // namespace

// An empty table whose columns go to a file.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_start(const std::string& path) {
  return with_file([&] {
    return Rcpp::List::create(Rcpp::Named("store") =
                                  StorePointer(new rankmix::StoreOnDisk(path)));
  });
}

// Closes the file of a table. The table is then empty.
// [[Rcpp::export(rng = false)]]
void store_close(StorePointer store) { store.release(); }

// Appends the rows of a matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_append(StorePointer store, const Rcpp::NumericMatrix& x, int threads) {
  return rankmix::guarded([&] {
    return with_file([&] {
      RHost host(threads, R_NilValue);
      store->columns.append(rankmix::matrix_view(x), host);
      return Rcpp::List();
    });
  });
}

// Completes the table after the last row. Returns statistics of its features.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_finish(StorePointer store, int features, int threads) {
  return rankmix::guarded([&] {
    return with_file([&] {
      RHost host(threads, R_NilValue);
      data::ColumnStore& columns = store->columns;
      if (static_cast<std::size_t>(features) > columns.features()) {
        // Columns that were never appended are 0 in all rows.
        columns.append({nullptr, 0, static_cast<std::size_t>(features)}, host);
      }
      columns.finish(host);
      Rcpp::NumericVector missing;
      for (std::size_t f = 0; f < columns.features(); ++f) {
        missing.push_back(static_cast<double>(columns.missing(f)));
      }
      return Rcpp::List::create(Rcpp::Named("rows") = static_cast<double>(columns.rows()),
                                Rcpp::Named("missing") = missing);
    });
  });
}

// Adds a column of 0 and 1 for each of these values of a column. Returns the first of them.
// [[Rcpp::export(rng = false)]]
int store_indicators(StorePointer store, int feature, const Rcpp::NumericVector& values) {
  return rankmix::guarded([&] {
    return static_cast<int>(store->columns.add_indicators(
               static_cast<std::size_t>(feature - 1), rankmix::double_view(values))) +
           1;
  });
}

// Whether each column has a single value on all ranks of `cluster`, apart from missing
// values.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector store_constant(StorePointer store,
                                   const Rcpp::IntegerVector& features,
                                   const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    RHost host(1, R_NilValue, cluster);
    return Rcpp::LogicalVector(Rcpp::wrap(
        data::constant_columns(store->columns, from_zero(features), host.reducer())));
  });
}

// Like find_leaks(), for the rows of all ranks. The scan of a column stops at the first
// row that proves that the column is not a function of the grades.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector store_leaks(StorePointer store, const Rcpp::IntegerVector& features,
                                const Rcpp::IntegerVector& grades, int threads,
                                const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue, cluster);
    const data::ColumnStore& columns = store->columns;
    data::StoredBlock block;
    std::vector<data::ValueOfGrade> known;
    for (std::size_t f : from_zero(features)) {
      host.checkpoint();
      known.emplace_back();
      data::ValueOfGrade& of = known.back();
      for (std::size_t b = 0; of.is_function && b < columns.blocks(); ++b) {
        columns.read(b, f, block);
        const int* of_block = grades.begin() + columns.first_row(b);
        for (std::size_t i = 0; i < block.rows && of.add(of_block[i], block[i]); ++i) {
        }
      }
    }
    Rcpp::IntegerVector kinds;
    for (data::Leak kind : data::leaks_of_ranks(
             std::move(known), rankmix::int_view(grades), host.reducer())) {
      kinds.push_back(static_cast<int>(kind));
    }
    return kinds;
  });
}

// Whether each column equals these numbers in all rows.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector store_equals(StorePointer store, const Rcpp::IntegerVector& features,
                                 const Rcpp::NumericVector& numbers) {
  return rankmix::guarded([&] {
    const data::ColumnStore& columns = store->columns;
    data::StoredBlock block;
    Rcpp::LogicalVector equal;
    for (std::size_t f : from_zero(features)) {
      bool same = true;
      for (std::size_t b = 0; same && b < columns.blocks(); ++b) {
        columns.read(b, f, block);
        for (std::size_t i = 0; same && i < block.rows; ++i) {
          same = block[i] == numbers[static_cast<R_xlen_t>(columns.first_row(b) + i)];
        }
      }
      equal.push_back(same);
    }
    return equal;
  });
}

// Appends the rows of LETOR texts, `size` bytes in all. Returns their relevance, queries and documents as
// letor_parse(), or a list with the element `error`.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_letor(StorePointer store, const std::vector<std::string>& paths,
                       double size, bool graded, const Rcpp::RObject& progress,
                       int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, progress);
    data::LetorOptions options;
    options.graded = graded;
    options.missing = NA_REAL;
    options.max_index = data::kMaxStreamIndex;
    data::LetorStream stream(options, host, static_cast<std::uint64_t>(size));
    return rankmix::read_text([&](int& at) {
      for (at = 0; at < static_cast<int>(paths.size()); ++at) {
        rankmix::TextFile file(paths[static_cast<std::size_t>(at)]);
        stream.read(file, store->columns);
        if (store->columns.rows() >
            static_cast<std::size_t>(std::numeric_limits<int>::max())) {
          throw rankmix::FileError("more than 2147483647 documents");
        }
      }
      at = 0;
      const std::vector<std::string>& documents = stream.documents();
      Rcpp::RObject document = R_NilValue;
      if (!documents.empty()) {
        document = rankmix::utf8_vector(documents, stream.relevance().size());
      }
      return Rcpp::List::create(
          Rcpp::Named("features") = static_cast<int>(store->columns.features()),
          Rcpp::Named("relevance") = rankmix::copied(stream.relevance()),
          Rcpp::Named("query") = rankmix::copied(stream.queries()),
          Rcpp::Named("query_ids") =
              rankmix::utf8_vector(stream.query_ids(), stream.query_ids().size()),
          Rcpp::Named("document") = document,
          Rcpp::Named("scattered") = static_cast<double>(stream.scattered()));
    });
  });
}

// Finds documents that are evenly spread in the order of their content keys. Returns the
// `keys` of `count` documents of all ranks, and the first of the `rows` of this rank with
// each key, from 1, or 0 if there is none. `units` has the count of each row, a whole
// number. If `weights` and `units` are empty, all are 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_spread_rows(StorePointer store, const Rcpp::IntegerVector& features,
                             const Rcpp::NumericVector& weights,
                             const Rcpp::NumericVector& units, int count, int threads,
                             const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue, cluster);
    const std::vector<double> keys = rankmix::explain::content_keys(
        store->columns, from_zero(features), rankmix::double_view(weights), host);
    const std::vector<std::uint64_t> counts(units.begin(), units.end());
    const std::vector<double> wanted =
        data::spread_values(keys, counts, static_cast<std::size_t>(count), host);
    std::vector<int> rows;
    for (std::size_t row : rankmix::explain::first_rows(keys, wanted)) {
      rows.push_back(row == keys.size() ? 0 : static_cast<int>(row) + 1);
    }
    return Rcpp::List::create(Rcpp::Named("keys") = wanted, Rcpp::Named("rows") = rows);
  });
}

// Finds a query that has documents on two ranks. Returns its `id`, the two `ranks`, and
// the number of such queries as `count`, at most 1,000. `ids` are the query ids of this
// rank, in UTF-8.
// [[Rcpp::export(rng = false)]]
Rcpp::List shared_query(const Rcpp::CharacterVector& ids, const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    RHost host(1, R_NilValue, cluster);
    std::vector<std::string> texts;
    for (R_xlen_t q = 0; q < ids.size(); ++q) {
      const SEXP id = STRING_ELT(ids, q);
      texts.emplace_back(CHAR(id), static_cast<std::size_t>(LENGTH(id)));
    }
    const data::SharedQuery found = data::find_shared_query(texts, host.reducer());
    return Rcpp::List::create(
        Rcpp::Named("count") = static_cast<int>(found.count),
        Rcpp::Named("id") = rankmix::utf8_vector({found.id}, 1),
        Rcpp::Named("ranks") = Rcpp::IntegerVector::create(
            static_cast<int>(found.first), static_cast<int>(found.second)));
  });
}

// The values of some rows, from 1, as a matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix store_rows(StorePointer store, const Rcpp::IntegerVector& features,
                               const Rcpp::IntegerVector& rows) {
  return rankmix::guarded([&] {
    const data::ColumnStore& columns = store->columns;
    auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(rows.size()), static_cast<std::size_t>(features.size()));
    data::StoredBlock block;
    for (int i = 0; i < out.nrow(); ++i) {
      const auto row = static_cast<std::size_t>(rows[i] - 1);
      const std::size_t b = columns.block_of(row);
      for (int j = 0; j < out.ncol(); ++j) {
        columns.read(b, static_cast<std::size_t>(features[j] - 1), block);
        out(i, j) = block[row - columns.first_row(b)];
      }
    }
    return out;
  });
}

// Bins columns of a table. The thresholds are taken from `like`. If `like` is NULL, they
// are computed from the rows of all ranks. With `sections`, the bins are written to the
// file `path`, otherwise they are kept in memory. Returns the `bins` (NULL if they are in
// a file) and the `content` of the rows.
// [[Rcpp::export(rng = false)]]
Rcpp::List store_bin(StorePointer store, const Rcpp::IntegerVector& features,
                     int max_bins, const Rcpp::NumericVector& weights,
                     const Rcpp::RObject& like, const std::string& path,
                     Rcpp::List sections, const Rcpp::RObject& progress, int threads,
                     const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    return with_file([&] {
      RHost host(threads, progress, cluster);
      const std::vector<std::size_t> columns = from_zero(features);
      std::vector<data::FeatureBins> found;
      if (like.isNULL()) {
        found = data::find_stored_bins(store->columns, columns,
                                       rankmix::double_view(weights), max_bins, host);
      } else {
        found = features_of(*Rcpp::as<BinsPointer>(like));
        // A feature may have missing values in these data but not in the data of `like`,
        // or the reverse.
        data::mark_missing(store->columns, columns, host.reducer(), found);
      }
      const std::size_t rows = store->columns.rows();
      auto content = rankmix::new_zeros<Rcpp::NumericVector>(rows);
      const rankmix::View<std::uint64_t> marks = bits_view(content);
      if (path.empty()) {
        BinsPointer bins(new data::BinnedMatrix(rows, found));
        MemorySink sink(bins->own_bins());
        data::bin_stored(store->columns, columns, found, marks, sink, host);
        return Rcpp::List::create(Rcpp::Named("bins") = bins,
                                  Rcpp::Named("content") = content);
      }
      rankmix::DiskFile file(path);
      FileSink sink(file);
      data::bin_stored(store->columns, columns, found, marks, sink, host);
      data::BinsIndex index{rows, found, {}};
      sections["content"] = content;
      finish_file(file, index, sections);
      return Rcpp::List::create(Rcpp::Named("content") = content);
    });
  });
}

// Writes bins and named vectors to a file.
// [[Rcpp::export(rng = false)]]
Rcpp::List bins_write(BinsPointer bins, const std::string& path,
                      const Rcpp::List& sections) {
  return rankmix::guarded([&] {
    // A file stores the features in their original order, which blocks change. Bins of
    // store_bin() and bins_take() have no blocks.
    if (bins->has_blocks()) {
      throw rankmix::InvalidArgument("bins with blocks of features cannot be written");
    }
    return with_file([&] {
      RHost host(1, R_NilValue);
      rankmix::DiskFile file(path);
      std::uint64_t at = data::kBinsBegin;
      constexpr std::size_t most = std::size_t{1} << 24;
      for (const data::Tile& tile : bins->tiles()) {
        const std::size_t size = tile.width() * bins->rows();
        for (std::size_t from = 0; from < size; from += most) {
          host.checkpoint();
          const std::size_t some = std::min(most, size - from);
          file.write(at, {tile.bins + from, some});
          at += some;
        }
      }
      data::BinsIndex index{bins->rows(), features_of(*bins), {}};
      finish_file(file, index, sections);
      return Rcpp::List();
    });
  });
}

// Maps a file of bins. Returns the `bins`, the numbers of `rows` and `features`, and the
// named vectors `sections`. The caller checks the values of the sections.
// [[Rcpp::export(rng = false)]]
Rcpp::List bins_map(const std::string& path, int threads) {
  return rankmix::guarded([&] {
    return with_file([&] {
      RHost host(threads, R_NilValue);
      const auto file = std::make_shared<const rankmix::MappedFile>(path);
      data::BinsIndex index = data::parse_bins_file(file->bytes());
      BinsPointer bins(new data::BinnedMatrix(index.rows, std::move(index.features),
                                              file->bytes().data() + data::kBinsBegin,
                                              file));
      data::check_bins(*bins, host);
      auto sections = rankmix::new_vector<Rcpp::List>(index.sections.size());
      std::vector<std::string> names;
      for (const data::BinsSection& section : index.sections) {
        host.checkpoint();
        sections[static_cast<R_xlen_t>(names.size())] = to_r(section);
        names.push_back(section.name);
      }
      sections.names() = rankmix::utf8_vector(names, names.size());
      return Rcpp::List::create(
          Rcpp::Named("bins") = bins,
          Rcpp::Named("rows") = static_cast<double>(bins->rows()),
          Rcpp::Named("features") = static_cast<double>(bins->features()),
          Rcpp::Named("sections") = sections);
    });
  });
}

// Copies some rows and features, numbered from 1, to bins in memory.
// [[Rcpp::export(rng = false)]]
BinsPointer bins_take(BinsPointer bins, const Rcpp::IntegerVector& rows,
                      const Rcpp::IntegerVector& features, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    std::vector<int> of_rows(rows.begin(), rows.end());
    for (int& row : of_rows) {
      row = row == NA_INTEGER ? -1 : row - 1;
    }
    return BinsPointer(
        data::take_bins(*bins, of_rows, from_zero(features), host).release());
  });
}

// The position, from 1, of the first of these columns of 0 and 1 that is 1 in each row, or
// NA. `ones` says which columns are 1 if they are constant.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector bins_levels(BinsPointer bins, const Rcpp::IntegerVector& columns,
                                const Rcpp::LogicalVector& ones, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    const std::vector<int> first = data::first_ones(
        *bins, from_zero(columns), std::vector<bool>(ones.begin(), ones.end()), host);
    auto out = rankmix::new_zeros<Rcpp::IntegerVector>(first.size());
    std::transform(first.begin(), first.end(), out.begin(),
                   [](int k) { return k < 0 ? NA_INTEGER : k + 1; });
    return out;
  });
}

// These features. Those at the positions `at` are replaced by numbers of levels, 1 to
// `counts` or NA.
// [[Rcpp::export(rng = false)]]
BinsPointer bins_with_levels(BinsPointer bins, const Rcpp::IntegerVector& features,
                             const Rcpp::IntegerVector& at, const Rcpp::List& numbers,
                             const Rcpp::IntegerVector& counts, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    std::vector<data::LevelNumbers> factors;
    for (R_xlen_t k = 0; k < at.size(); ++k) {
      factors.push_back({static_cast<std::size_t>(at[k] - 1),
                         rankmix::int_view(numbers[k]), counts[k]});
    }
    return BinsPointer(
        data::with_levels(*bins, from_zero(features), factors, host).release());
  });
}

// The number of missing values of each feature.
// [[Rcpp::export(rng = false)]]
std::vector<double> bins_missing(BinsPointer bins, int threads) {
  return rankmix::guarded([&] {
    RHost host(threads, R_NilValue);
    // Pointers of R can be used on R's thread only.
    const data::BinnedMatrix& own = *bins;
    std::vector<double> missing(own.features(), 0.0);
    host.parallel_for(missing.size(), [&](std::size_t f) {
      const data::FeatureBins& feature = own.feature(f);
      if (!feature.has_missing) {
        return;
      }
      own.with_bins_of(f, [&](const auto& bin_of) {
        for (std::size_t i = 0; i < own.rows(); ++i) {
          missing[f] += bin_of(i) == feature.missing_bin() ? 1.0 : 0.0;
        }
      });
    });
    return missing;
  });
}

// Whether the bin of any feature differs between a row and the row `first` of the same query, which is counted from 1.
// [[Rcpp::export(rng = false)]]
bool bins_differ(BinsPointer bins, Rcpp::IntegerVector first) {
  return rankmix::guarded([&] {
    RHost host(1, R_NilValue);
    const data::BinnedMatrix& own = *bins;
    const int* const row = first.begin();
    bool differ = false;
    for (std::size_t f = 0; f < own.features() && !differ; ++f) {
      host.checkpoint();
      own.with_bins_of(f, [&](const auto& bin_of) {
        for (std::size_t i = 0; i < own.rows() && !differ; ++i) {
          differ = bin_of(i) != bin_of(static_cast<std::size_t>(row[i]) - 1);
        }
      });
    }
    return differ;
  });
}

// The thresholds of each feature.
// [[Rcpp::export(rng = false)]]
Rcpp::List bins_thresholds(BinsPointer bins) {
  Rcpp::List out;
  for (std::size_t f = 0; f < bins->features(); ++f) {
    out.push_back(Rcpp::wrap(bins->feature(f).thresholds));
  }
  return out;
}

// A digest of the data of all ranks, as 16 hexadecimal digits. It does not depend on the
// order of rows. Missing grades are NaN. Indices in `query` count from 1.
// [[Rcpp::export(rng = false)]]
std::string bins_digest(BinsPointer bins, const Rcpp::RObject& grades,
                        const Rcpp::IntegerVector& query,
                        const Rcpp::CharacterVector& query_ids, int threads,
                        const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    std::vector<std::uint64_t> ids;
    for (R_xlen_t q = 0; q < query_ids.size(); ++q) {
      const SEXP id = STRING_ELT(query_ids, q);
      ids.push_back(rankmix::hash_text(CHAR(id), static_cast<std::size_t>(LENGTH(id))));
    }
    RHost host(threads, R_NilValue, cluster);
    const data::HashedQueries queries{rankmix::int_view(query), ids};
    // Grades stay integers, because doubles of many documents would need much memory.
    auto digest = [&](rankmix::FunctionRef<double(std::size_t)> grade_of) {
      return rankmix::hexadecimal(data::rows_digest(*bins, grade_of, queries, host));
    };
    if (grades.isNULL()) {
      return digest([](std::size_t) { return 0.0; });
    }
    if (TYPEOF(grades) == INTSXP) {
      return digest([of = INTEGER(grades)](std::size_t i) { return double(of[i]); });
    }
    return digest([of = REAL(grades)](std::size_t i) { return of[i]; });
  });
}

// Like rows_by_content(), with the `content` of store_bin().
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector rows_by_marks(const Rcpp::NumericVector& content, int features,
                                  const Rcpp::NumericVector& grades,
                                  const Rcpp::IntegerVector& query,
                                  const Rcpp::IntegerVector& offsets,
                                  const Rcpp::NumericVector& ties) {
  return rankmix::guarded([&] {
    std::vector<std::uint64_t> digests(static_cast<std::size_t>(content.size()));
    std::memcpy(digests.data(), REAL(content), digests.size() * sizeof(digests[0]));
    for (std::size_t i = 0; i < digests.size(); ++i) {
      digests[i] += data::value_hash(grades[static_cast<R_xlen_t>(i)],
                                     static_cast<std::size_t>(features));
    }
    return rankmix::copied(rankmix::regress::order_of_queries(
        rankmix::regress::order_of_digests(digests, rankmix::double_view(ties)),
        rankmix::int_view(query), rankmix::int_view(offsets)));
  });
}

// A pointer is empty after R has saved and read it.
// [[Rcpp::export(rng = false)]]
bool is_empty_pointer(SEXP pointer) { return R_ExternalPtrAddr(pointer) == nullptr; }
