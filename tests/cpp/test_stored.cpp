// Tables on disk: reading returns the appended values, bins equal the bins of the
// matrix in memory, and damaged files of bins are refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/data/bins.h"
#include "core/data/bins_file.h"
#include "core/data/bins_taken.h"
#include "core/data/letor_stream.h"
#include "core/data/stored_bins.h"
#include "core/explain/content_keys.h"
#include "core/explain/stored_keys.h"
#include "core/regress/content_order.h"
#include "draw.h"
#include "memory_store.h"
#include "memory_text.h"
#include "thread_host.h"

namespace data = rankmix::data;
using rankmix::MatrixView;
using rankmix::View;

namespace {

// Columns: few values, floats, doubles, one value, missing values, all missing, zeros.
struct Table {
  static constexpr std::size_t features = 7;
  std::size_t rows;
  std::vector<double> x;

  explicit Table(std::size_t count) : rows(count), x(count * features) {
    std::mt19937_64 random(3);
    draw::Normal<double> normal;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < rows; ++i) {
      const double row[features] = {
          static_cast<double>(random() % 200),
          static_cast<double>(static_cast<float>(normal(random))),
          normal(random),
          2.5,
          random() % 4 == 0 ? nan : normal(random),
          nan,
          random() % 2 == 0 ? -0.0 : 0.0};
      for (std::size_t f = 0; f < features; ++f) {
        x[f * rows + i] = row[f];
      }
    }
  }
  MatrixView<const double> view() const { return {x.data(), rows, features}; }
  // Appends the rows in chunks of this size.
  void append_to(data::ColumnStore& store, std::size_t chunk, rankmix::Host& host) const {
    for (std::size_t begin = 0; begin < rows; begin += chunk) {
      const std::size_t some = std::min(chunk, rows - begin);
      std::vector<double> part(some * features);
      for (std::size_t f = 0; f < features; ++f) {
        std::copy_n(x.data() + f * rows + begin, some, part.data() + f * some);
      }
      store.append({part.data(), some, features}, host);
    }
    store.finish(host);
  }
};

std::vector<std::size_t> all_columns() { return {0, 1, 2, 3, 4, 5, 6}; }

class VectorSink : public data::BinSink {
 public:
  explicit VectorSink(std::size_t size) : bins(size) {}
  void put(std::uint64_t at, View<const std::uint8_t> some) override {
    std::copy(some.begin(), some.end(), bins.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::vector<std::uint8_t> bins;
};

void check_same_bins(const data::BinnedMatrix& a, const data::BinnedMatrix& b) {
  REQUIRE(a.features() == b.features());
  REQUIRE(a.rows() == b.rows());
  for (std::size_t f = 0; f < a.features(); ++f) {
    CHECK(a.feature(f).thresholds == b.feature(f).thresholds);
    CHECK(a.feature(f).has_missing == b.feature(f).has_missing);
    CHECK(a.feature(f).zero_bin == b.feature(f).zero_bin);
    CHECK(a.slot(f) == b.slot(f));
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      different += a.reader(f)(i) != b.reader(f)(i) ? 1 : 0;
    }
    CHECK(different == 0);
  }
}

}  // namespace

TEST_CASE("a table on disk has the values that were appended") {
  ThreadHost host(2);
  const Table table(1000);
  for (std::size_t block : {64, 300, 5000}) {
    MemoryStore bytes;
    data::ColumnStore store(bytes, block);
    table.append_to(store, 170, host);
    CHECK(store.rows() == table.rows);
    data::StoredBlock found;
    std::size_t different = 0;
    for (std::size_t b = 0; b < store.blocks(); ++b) {
      for (std::size_t f = 0; f < Table::features; ++f) {
        store.read(b, f, found);
        for (std::size_t i = 0; i < found.rows; ++i) {
          const double expected = table.view()(store.first_row(b) + i, f);
          different +=
              found[i] == expected || (std::isnan(found[i]) && std::isnan(expected)) ? 0
                                                                                     : 1;
        }
      }
    }
    CHECK(different == 0);
    CHECK(store.is_constant(3));
    CHECK(store.is_constant(5));
    CHECK(store.is_constant(6));
    CHECK_FALSE(store.is_constant(0));
    CHECK(store.missing(5) == table.rows);
    CHECK(store.block_of(0) == 0);
    CHECK(store.block_of(table.rows - 1) == store.blocks() - 1);
  }
}

TEST_CASE("a column has indicators of its values") {
  ThreadHost host(2);
  const Table table(1000);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t block : {64, 5000}) {
    MemoryStore bytes;
    data::ColumnStore store(bytes, block);
    table.append_to(store, 170, host);
    store.finish(host);
    // The columns have few values, many values, one value, and missing values only.
    const double absent = 1e9;
    for (std::size_t f : {0, 1, 3, 5}) {
      const double own = f == 5 ? 2.5 : table.view()(7, f);
      const double values[] = {own, absent};
      const std::size_t first = store.add_indicators(f, {values, 2});
      CHECK(store.features() == first + 2);
      data::StoredBlock found;
      std::size_t different = 0;
      std::size_t ones = 0;
      for (std::size_t b = 0; b < store.blocks(); ++b) {
        for (std::size_t k = 0; k < 2; ++k) {
          store.read(b, first + k, found);
          for (std::size_t i = 0; i < found.rows; ++i) {
            const double x = table.view()(store.first_row(b) + i, f);
            const double expected = std::isnan(x) ? nan : x == values[k] ? 1.0 : 0.0;
            ones += expected == 1.0 ? 1 : 0;
            different +=
                found[i] == expected || (std::isnan(found[i]) && std::isnan(expected))
                    ? 0
                    : 1;
          }
        }
      }
      CHECK(different == 0);
      CHECK((ones > 0) == (f != 5));
      CHECK(store.missing(first) == store.missing(f));
      CHECK(store.is_constant(first) == (f == 3 || f == 5));
      CHECK(store.is_constant(first + 1));
      CHECK(std::isnan(store.first_value(first)) == (f == 5));
      CHECK((f == 5 || store.first_value(first + 1) == 0.0));
    }
  }
}

TEST_CASE("bins of a table on disk equal bins of the matrix") {
  ThreadHost host(2);
  const Table table(3000);
  std::vector<double> counts;
  std::vector<double> uneven;
  for (std::size_t i = 0; i < table.rows; ++i) {
    counts.push_back(static_cast<double>((i * 7) % 4));
    uneven.push_back(0.1 + static_cast<double>((i * 13) % 17) / 5);
  }
  MemoryStore bytes;
  data::ColumnStore store(bytes, 500);
  table.append_to(store, 999, host);
  for (const std::vector<double>& weights : {std::vector<double>(), counts, uneven}) {
    for (int max_bins : {7, 255}) {
      // Thresholds come from sorted columns, or from counts of values in buckets.
      for (std::size_t sorted : {std::size_t{0}, data::kSortedRows}) {
        data::BinOptions options{max_bins};
        options.weights = weights;
        const data::BinnedMatrix expected(table.view(), options, host);
        const std::vector<data::FeatureBins> features =
            data::find_stored_bins(store, all_columns(), weights, max_bins, host, sorted);
        VectorSink sink(table.x.size());
        std::vector<std::uint64_t> marks(table.rows, 0);
        data::bin_stored(store, all_columns(), features, {marks.data(), marks.size()},
                         sink, host);
        const data::BinnedMatrix found(table.rows, features, sink.bins.data());
        check_same_bins(expected, found);
        if (sorted == 0) {
          const rankmix::regress::DenseValues values(table.view());
          const std::vector<double> none(table.rows, 0.0);
          CHECK(marks == rankmix::regress::content_digests(values, none, host));
        }
      }
    }
    CHECK(rankmix::explain::content_keys(store, all_columns(), weights, host) ==
          rankmix::explain::content_keys(
              table.view(),
              weights.empty() ? std::vector<double>(table.rows, 1.0) : weights));
  }
}

TEST_CASE("bins of a subset equal the subset of the bins") {
  ThreadHost host(2);
  const Table table(400);
  const data::BinnedMatrix bins(table.view(), {}, host);
  const std::vector<int> rows = {399, 3, 3, 0, 17};
  const std::vector<std::size_t> columns = {4, 0};
  const auto part = data::take_bins(bins, rows, columns, host);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
      CHECK(part->reader(f)(i) ==
            bins.reader(columns[f])(static_cast<std::size_t>(rows[i])));
    }
  }
  for (int row : {-1, 400}) {
    CHECK_THROWS_AS(data::take_bins(bins, std::vector<int>{0, row}, columns, host),
                    rankmix::InvalidArgument);
  }
  CHECK_THROWS_AS(data::take_bins(bins, rows, {0, Table::features}, host),
                  rankmix::InvalidArgument);
  for (std::size_t f = 0; f < bins.features(); ++f) {
    const std::vector<double> values = data::values_of_bins(bins.feature(f));
    REQUIRE(static_cast<int>(values.size()) == bins.feature(f).bins());
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      CHECK(data::BinLookup(bins.feature(f))(values[bin]) == bin);
    }
  }
}

TEST_CASE("columns of 0 and 1 become the numbers of levels") {
  ThreadHost host(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // A factor with three levels, of which the third does not occur. Then a numeric
  // feature.
  constexpr std::size_t rows = 6;
  const std::vector<double> x{1,   0,   0,   nan, 1,   0,  //
                              0,   1,   0,   nan, 0,   1,  //
                              0,   0,   0,   nan, 0,   0,  //
                              0.5, 2.5, 1.5, 2.5, 0.5, 1.5};
  const data::BinnedMatrix bins(MatrixView<const double>(x.data(), rows, 4), {}, host);
  const std::vector<int> level =
      data::first_ones(bins, {1, 2, 0}, {false, false, false}, host);
  CHECK(level == std::vector<int>{2, 0, -1, -1, 2, 0});
  CHECK(data::first_ones(bins, {2}, {true}, host) == std::vector<int>{0, 0, 0, -1, 0, 0});
  CHECK_THROWS_AS(data::first_ones(bins, {4}, {true}, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(data::first_ones(bins, {2, 1}, {true}, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(data::with_levels(bins, {3}, {{1, level, 3}}, host),
                  rankmix::InvalidArgument);
  CHECK_THROWS_AS(
      data::with_levels(bins, {3}, {{0, View<const int>(level.data(), 5), 3}}, host),
      rankmix::InvalidArgument);

  const std::vector<int> numbers{2, 1, -1, 0, 2, 3};
  const auto found = data::with_levels(bins, {0, 3}, {{0, numbers, 3}}, host);
  const std::vector<double> as_values{2, 1, nan, nan, 2, 3, 0.5, 2.5, 1.5, 2.5, 0.5, 1.5};
  const data::BinnedMatrix expected(MatrixView<const double>(as_values.data(), rows, 2),
                                    {}, host);
  check_same_bins(*found, expected);
}

TEST_CASE("later rows may have more features") {
  ThreadHost host(1);
  MemoryStore bytes;
  data::ColumnStore store(bytes, 3);
  data::LetorStream stream({}, host);
  MemoryText first("1 qid:a 1:5\n0 qid:b 1:6 2:1 # docid = x\n", 1);
  MemoryText second("\xEF\xBB\xBF# a comment\n2 qid:a 2:3 4:7\n\n0 qid:c\n3 qid:c 1:1\n",
                    100);
  stream.read(first, store);
  stream.read(second, store);
  store.finish(host);
  CHECK(stream.relevance() == std::vector<double>{1, 0, 2, 0, 3});
  CHECK(stream.queries() == std::vector<int>{0, 1, 0, 2, 2});
  CHECK(stream.query_ids() == std::vector<std::string>{"a", "b", "c"});
  CHECK(stream.scattered() == 1);
  CHECK(stream.documents() == std::vector<std::string>{"", "x"});
  REQUIRE(store.features() == 4);
  const double expected[5][4] = {
      {5, 0, 0, 0}, {6, 1, 0, 0}, {0, 3, 0, 7}, {0, 0, 0, 0}, {1, 0, 0, 0}};
  data::StoredBlock block;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t f = 0; f < 4; ++f) {
      store.read(store.block_of(i), f, block);
      CHECK(block[i - store.first_row(store.block_of(i))] == expected[i][f]);
    }
  }
  CHECK(store.is_constant(2));
  CHECK_FALSE(store.is_constant(3));
}

TEST_CASE("errors of streamed text name the line of the file") {
  ThreadHost host(2);
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += i == 437 ? "1 qid:1 1:x\n" : "1 qid:1 1:2\n";
  }
  MemoryStore bytes;
  data::ColumnStore store(bytes);
  data::LetorStream stream({}, host);
  MemoryText source(text, 90);
  std::size_t line = 0;
  try {
    stream.read(source, store);
  } catch (const data::TextError& e) {
    line = e.line;
  }
  CHECK(line == 438);
}

TEST_CASE("the first row of each key is found") {
  const std::vector<double> keys = {2.5, -1.0, 2.5, 0.0, 7.0, -1.0};
  CHECK(
      rankmix::explain::first_rows(keys, std::vector<double>{-1.0, 0.5, 2.5, 2.5, 8.0}) ==
      std::vector<std::size_t>{1, 6, 0, 0, 6});
}

TEST_CASE("reading a table can be interrupted") {
  ThreadHost host(1);
  host.interrupt_after(1);
  MemoryStore bytes;
  data::ColumnStore store(bytes, 100);
  CHECK_THROWS_AS(Table(1000).append_to(store, 50, host), rankmix::Interrupted);
}

namespace {

// A file with bins that are 0.
std::vector<std::uint8_t> file_of(const data::BinsIndex& index) {
  std::vector<std::uint8_t> part;
  const std::vector<std::uint8_t> header =
      data::write_index(index, [&](rankmix::View<const std::uint8_t> piece) {
        part.insert(part.end(), piece.begin(), piece.end());
      });
  CHECK(header.size() == data::kBinsHeader);
  std::vector<std::uint8_t> file = header;
  file.resize(data::kBinsBegin + index.bytes_of_bins());
  file.insert(file.end(), part.begin(), part.end());
  return file;
}

}  // namespace

TEST_CASE("the hash of pieces equals the hash of the whole text") {
  std::string text;
  for (int i = 0; i < 50; ++i) {
    text.push_back(static_cast<char>(i * 37));
    for (std::size_t cut : {text.size() / 3, text.size() / 2}) {
      rankmix::PiecewiseHash hash(text.size());
      hash.add(text.data(), cut);
      hash.add(text.data() + cut, text.size() - cut);
      CHECK(hash.finish() == rankmix::hash_text(text.data(), text.size()));
    }
  }
}

TEST_CASE("a file of bins is read back identically or refused") {
  ThreadHost host(2);
  const Table table(100);
  const data::BinnedMatrix bins(table.view(), {}, host);
  data::BinsIndex index;
  index.rows = table.rows;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    index.features.push_back(bins.feature(f));
  }
  data::BinsSection section;
  section.name = "grades";
  section.count = 2;
  const std::vector<std::uint8_t> grades = {1, 0, 0, 0, 2, 0, 0, 0};
  section.bytes = grades;
  index.sections.push_back(section);
  data::BinsSection texts;
  texts.name = "ids";
  texts.type = data::BinsSection::kTexts;
  texts.count = 1;
  const std::vector<std::uint8_t> ids = {1, 0, 0, 0, 'a'};
  texts.bytes = ids;
  index.sections.push_back(texts);
  std::vector<std::uint8_t> file = file_of(index);
  const data::BinsIndex found = data::parse_bins_file(file);
  CHECK(found.rows == table.rows);
  REQUIRE(found.features.size() == bins.features());
  CHECK(found.features[2].thresholds == bins.feature(2).thresholds);
  CHECK(found.features[4].has_missing);
  REQUIRE(found.sections.size() == 2);
  CHECK(found.sections[0].name == "grades");
  CHECK(std::equal(ids.begin(), ids.end(), found.sections[1].bytes.begin(),
                   found.sections[1].bytes.end()));

  // A change of any byte of header or index is detected, and so is any shorter file.
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < file.size();
       at += at < data::kBinsHeader || at > 4000 + table.x.size() ? 1 : 500) {
    if (at >= data::kBinsHeader && at < data::kBinsBegin + table.x.size()) {
      continue;
    }
    std::vector<std::uint8_t> other = file;
    other[at] ^= 64;
    try {
      data::parse_bins_file(other);
      ++accepted;
    } catch (const data::BinsFileError&) {
    }
  }
  CHECK(accepted == 0);
  for (std::size_t size :
       {std::size_t{0}, data::kBinsHeader - 1, file.size() / 2, file.size() - 1}) {
    CHECK_THROWS_AS(data::parse_bins_file({file.data(), size}), data::BinsFileError);
  }
}

TEST_CASE("texts that R cannot hold and sections of one name are refused") {
  const auto parse = [](const std::vector<data::BinsSection>& sections) {
    data::BinsIndex index;
    index.rows = 0;
    index.features.resize(1);
    index.sections = sections;
    return data::parse_bins_file(file_of(index)).sections.size();
  };
  std::deque<std::vector<std::uint8_t>> kept;
  const auto text = [&](const std::string& name, std::vector<std::uint8_t> bytes) {
    data::BinsSection section;
    section.name = name;
    section.type = data::BinsSection::kTexts;
    section.count = 1;
    section.bytes = kept.emplace_back(std::move(bytes));
    return section;
  };
  const data::BinsSection good = text("ids", {2, 0, 0, 0, 'a', 'b'});
  CHECK(parse({good, text("none", {255, 255, 255, 255}), text("empty", {0, 0, 0, 0})}) ==
        3);
  CHECK_THROWS_AS(parse({text("ids", {2, 0, 0, 0, 'a', 0})}), data::BinsFileError);
  CHECK_THROWS_AS(parse({text("ids", {0, 0, 0, 128})}), data::BinsFileError);
  CHECK_THROWS_AS(parse({text(std::string("i\0s", 3), {0, 0, 0, 0})}),
                  data::BinsFileError);
  CHECK_THROWS_AS(parse({good, text("other", {0, 0, 0, 0}), good}), data::BinsFileError);
}

TEST_CASE("bins beyond the last bin of their feature are refused") {
  ThreadHost host(1);
  const Table table(100);
  const data::BinnedMatrix bins(table.view(), {}, host);
  std::vector<data::FeatureBins> features;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    features.push_back(bins.feature(f));
  }
  std::vector<std::uint8_t> copy(bins.tiles()[0].bins,
                                 bins.tiles()[0].bins + table.x.size());
  data::check_bins(data::BinnedMatrix(table.rows, features, copy.data()), host);
  copy[3] = 1;  // the fourth feature has one bin
  CHECK_THROWS_AS(
      data::check_bins(data::BinnedMatrix(table.rows, features, copy.data()), host),
      data::BinsFileError);
}
