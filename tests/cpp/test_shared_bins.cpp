// Ranks that hold parts of the rows must find the same bins, digests, spread values and
// shared queries as one process with all rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/data/bins.h"
#include "core/data/leaks.h"
#include "core/data/shared_queries.h"
#include "core/data/shared_tallies.h"
#include "core/data/shared_thresholds.h"
#include "core/data/stored_bins.h"
#include "core/data/training_digest.h"
#include "core/explain/content_keys.h"
#include "core/explain/stored_keys.h"
#include "draw.h"
#include "memory_store.h"
#include "ranks.h"

namespace data = rankmix::data;
using rankmix::Host;
using rankmix::View;

namespace {

struct Part {
  std::vector<std::size_t> rows;
  std::vector<double> x;
};

// Columns of all kinds of values.
struct Values {
  static constexpr std::size_t features = 15;
  std::size_t rows;
  std::vector<double> x;

  explicit Values(std::size_t count) : rows(count), x(count * features) {
    std::mt19937_64 random(count);
    draw::Normal<double> normal;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    double close = 1.0;
    for (std::size_t i = 0; i < rows; ++i) {
      close = std::nextafter(close, 2.0);
      const double z = normal(random);
      const bool rare = random() % 10 != 0;
      const double row[features] = {
          static_cast<double>(random() % 200),         // few values
          static_cast<double>(random() % 256),         // one more than bins
          static_cast<double>(static_cast<float>(z)),  // floats
          normal(random),                              // doubles
          2.5,                                         // one value
          random() % 4 == 0 ? nan : normal(random),    // missing values
          nan,                                         // all missing
          random() % 2 == 0 ? -0.0 : 0.0,              // zeros
          rare ? 0.0 : std::exp(3 * normal(random)),   // mostly zeros
          close,                                       // neighbouring doubles
          std::ldexp(normal(random), static_cast<int>(random() % 2000) - 1000),
          normal(random) * 1e-310,                   // denormal numbers
          std::floor(std::exp(6 + normal(random))),  // counts
          static_cast<double>(i),                    // sorted
          i == rows / 2 ? 7.0 : nan};                // a value of one row
      for (std::size_t f = 0; f < features; ++f) {
        x[f * rows + i] = row[f];
      }
    }
  }
  rankmix::MatrixView<const double> view() const { return {x.data(), rows, features}; }
  Part part(std::vector<std::size_t> of) const {
    Part part{std::move(of), {}};
    for (std::size_t f = 0; f < features; ++f) {
      for (std::size_t i : part.rows) {
        part.x.push_back(x[f * rows + i]);
      }
    }
    return part;
  }
};

// Assigns each row to a random rank. The last rank has few rows.
std::vector<Part> random_parts(const Values& values, std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::size_t>> of(size);
  for (std::size_t i = 0; i < values.rows; ++i) {
    std::size_t rank = random() % size;
    if (rank + 1 == size && size > 1 && i % 50 != 0) {
      rank = 0;
    }
    of[rank].push_back(i);
  }
  std::vector<Part> parts;
  for (auto& rows : of) {
    parts.push_back(values.part(rows));
  }
  return parts;
}

// Assigns neighbouring rows to the same rank.
std::vector<Part> sorted_parts(const Values& values, std::size_t size) {
  std::vector<Part> parts;
  for (std::size_t rank = 0; rank < size; ++rank) {
    const std::size_t begin = values.rows * rank / size;
    std::vector<std::size_t> rows(values.rows * (rank + 1) / size - begin);
    std::iota(rows.begin(), rows.end(), begin);
    parts.push_back(values.part(rows));
  }
  return parts;
}

std::vector<double> taken(const std::vector<double>& all,
                          const std::vector<std::size_t>& rows) {
  std::vector<double> some;
  if (!all.empty()) {
    for (std::size_t i : rows) {
      some.push_back(all[i]);
    }
  }
  return some;
}

std::vector<std::size_t> all_columns() {
  std::vector<std::size_t> columns(Values::features);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

// A table on disk with the rows of a part.
class StoredPart {
 public:
  StoredPart(const Part& part, Host& host) : store_(bytes_, 300) {
    store_.append({part.x.data(), part.rows.size(), Values::features}, host);
    store_.finish(host);
  }
  const data::ColumnStore& columns() const { return store_; }

 private:
  MemoryStore bytes_;
  data::ColumnStore store_;
};

// No weights, counts, fractions, weights that are equal within each rank but not over
// all ranks, and equal weights.
std::vector<std::vector<double>> weightings(std::size_t rows) {
  std::vector<std::vector<double>> all(5);
  for (std::size_t i = 0; i < rows; ++i) {
    all[1].push_back(static_cast<double>((i * 7) % 4));
    all[2].push_back(0.1 + static_cast<double>((i * 13) % 17) / 5);
    all[3].push_back(2 * i < rows ? 0.5 : 3.0);
    all[4].push_back(1.5);
  }
  return all;
}

void check_parts(const Values& values, const std::vector<Part>& parts,
                 const std::vector<double>& weights, int max_bins) {
  ThreadHost alone(2);
  data::BinOptions options{max_bins};
  options.weights = weights;
  const data::BinnedMatrix expected(values.view(), options, alone);
  const std::vector<int> grades(values.rows, 1);
  const std::uint64_t digest = data::training_digest(expected, grades, weights, alone);
  // Each row has a query and a grade of its own.
  std::vector<std::uint64_t> hashes(values.rows);
  std::iota(hashes.begin(), hashes.end(), std::uint64_t{5});
  std::vector<int> queries(values.rows);
  std::iota(queries.begin(), queries.end(), 1);
  auto grade_of = [](std::size_t i) { return static_cast<double>(i % 3); };
  const std::uint64_t of_rows =
      data::rows_digest(expected, grade_of, {queries, hashes}, alone);
  run_ranks(parts.size(), 1, [&](std::size_t rank, Host& host) {
    const Part& part = parts[rank];
    const StoredPart stored(part, host);
    const std::vector<double> own = taken(weights, part.rows);
    const std::vector<data::FeatureBins> found =
        data::find_stored_bins(stored.columns(), all_columns(), own, max_bins, host);
    REQUIRE(found.size() == expected.features());
    for (std::size_t f = 0; f < found.size(); ++f) {
      CAPTURE(f);
      CHECK(found[f].thresholds == expected.feature(f).thresholds);
      CHECK(found[f].has_missing == expected.feature(f).has_missing);
      CHECK(found[f].zero_bin == expected.feature(f).zero_bin);
    }
    data::BinnedMatrix bins(part.rows.size(), found);
    class Sink : public data::BinSink {
     public:
      explicit Sink(std::uint8_t* to) : to_(to) {}
      void put(std::uint64_t at, View<const std::uint8_t> some) override {
        std::copy(some.begin(), some.end(), to_ + at);
      }

     private:
      std::uint8_t* to_;
    };
    Sink sink(bins.own_bins());
    std::vector<std::uint64_t> marks(part.rows.size());
    data::bin_stored(stored.columns(), all_columns(), found, {marks.data(), marks.size()},
                     sink, host);
    const std::vector<int> own_grades(part.rows.size(), 1);
    CHECK(data::training_digest(bins, own_grades, own, host) == digest);
    std::vector<int> own_queries;
    for (std::size_t i : part.rows) {
      own_queries.push_back(queries[i]);
    }
    auto own_grade_of = [&](std::size_t i) { return grade_of(part.rows[i]); };
    CHECK(data::rows_digest(bins, own_grade_of, {own_queries, hashes}, host) == of_rows);
  });
}

}  // namespace

TEST_CASE("ranks find the bins and digests of one process") {
  for (std::size_t size : {1U, 2U, 3U, 5U, 8U}) {
    const Values values(2500);
    unsigned seed = 1;
    for (const std::vector<double>& weights : weightings(values.rows)) {
      check_parts(values, random_parts(values, size, seed++), weights, 255);
    }
    check_parts(values, sorted_parts(values, size), {}, 7);
    check_parts(values, sorted_parts(values, size), weightings(values.rows)[3], 255);
  }
}

TEST_CASE("ranks with one row each find the bins of one process") {
  const Values values(5);
  check_parts(values, sorted_parts(values, 5), {}, 255);
  check_parts(values, sorted_parts(values, 5), {}, 2);
}

TEST_CASE("sizes of reductions do not change the thresholds of ranks") {
  ThreadHost alone(2);
  const Values values(3000);
  const data::BinnedMatrix expected(values.view(), {}, alone);
  const std::vector<Part> parts = random_parts(values, 3, 4);
  for (const data::SharedSizes& sizes :
       {data::SharedSizes{1, 0, 512, 12}, data::SharedSizes{4, 0, 1024, 16},
        data::SharedSizes{64, 100000, 512, 1}, data::SharedSizes{5, 500, 4096, 9}}) {
    run_ranks(3, 1, [&](std::size_t rank, Host& host) {
      const StoredPart stored(parts[rank], host);
      const auto found =
          data::shared_thresholds(stored.columns(), all_columns(), {}, 255, host, sizes);
      for (std::size_t f = 0; f < found.size(); ++f) {
        CAPTURE(f);
        CHECK(found[f] == expected.feature(f).thresholds);
      }
    });
  }
}

TEST_CASE("evenly spaced values come from the sorted values of all ranks") {
  const Values values(2000);
  const std::vector<double> all(values.x.begin() + 3 * 2000, values.x.begin() + 4 * 2000);
  for (const std::vector<double>& weights : weightings(values.rows)) {
    std::vector<double> copies;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double count = weights.empty() ? 1.0 : std::ceil(weights[i]);
      copies.insert(copies.end(), static_cast<std::size_t>(count), all[i]);
    }
    std::sort(copies.begin(), copies.end());
    for (std::size_t count : {1U, 7U, 100U}) {
      std::vector<double> expected;
      for (std::size_t k = 1; k <= count; ++k) {
        const double n = static_cast<double>(copies.size());
        const double point =
            (static_cast<double>(k) - 0.5) / static_cast<double>(count) * n;
        expected.push_back(copies[static_cast<std::size_t>(point)]);
      }
      for (std::size_t size : {1U, 3U, 8U}) {
        const std::vector<Part> parts = random_parts(values, size, 9);
        run_ranks(size, 1, [&](std::size_t rank, Host& host) {
          std::vector<std::uint64_t> counts;
          for (double weight : taken(weights, parts[rank].rows)) {
            counts.push_back(static_cast<std::uint64_t>(std::ceil(weight)));
          }
          const std::vector<double> own = taken(all, parts[rank].rows);
          CHECK(data::spread_values(own, counts, count, host) == expected);
          CHECK(data::spread_values(own, counts, count, host, {1, 0, 512, 3}) ==
                expected);
        });
      }
    }
  }
}

TEST_CASE("ranks find the leaks of one process") {
  // Features: equal to the grade, rising, falling, rising on each rank only, with a
  // missing value, equal to the grade except in one row, constant.
  constexpr std::size_t features = 7;
  constexpr std::size_t rows = 60;
  for (const int first_grades : {1, 3}) {
    std::vector<int> grades;
    std::vector<double> x(features * rows);
    for (std::size_t i = 0; i < rows; ++i) {
      // A rank may have a single grade, or grades that other ranks lack.
      const int grade = i < rows / 3 ? static_cast<int>(i) % first_grades
                                     : 1 + static_cast<int>(i * 7) % 4;
      grades.push_back(grade);
      const double g = grade;
      const double row[features] = {
          g,
          std::exp(g),
          -g,
          10.0 * static_cast<double>(3 * i / rows) + g,
          i == 40 ? std::numeric_limits<double>::quiet_NaN() : g,
          i == 59 ? 9.0 : g,
          1.0};
      for (std::size_t f = 0; f < features; ++f) {
        x[f * rows + i] = row[f];
      }
    }
    ThreadHost alone(1);
    const std::vector<data::Leak> expected = data::find_leaks(
        rankmix::MatrixView<const double>(x.data(), rows, features), grades, alone);
    CHECK(expected[0] == data::Leak::kEqual);
    run_ranks(3, 1, [&](std::size_t rank, Host& host) {
      const std::vector<int> own(grades.begin() + rank * rows / 3,
                                 grades.begin() + (rank + 1) * rows / 3);
      std::vector<data::ValueOfGrade> known(features);
      for (std::size_t f = 0; f < features; ++f) {
        for (std::size_t i = 0; i < own.size() && known[f].is_function; ++i) {
          known[f].add(own[i], x[f * rows + rank * rows / 3 + i]);
        }
      }
      CHECK(data::leaks_of_ranks(known, own, host.reducer()) == expected);
    });
  }
}

TEST_CASE("columns are constant if they have one value over all ranks") {
  const Values values(300);
  for (const std::vector<Part>& parts :
       {sorted_parts(values, 3), sorted_parts(values, 20), random_parts(values, 2, 1)}) {
    run_ranks(parts.size(), 1, [&](std::size_t rank, Host& host) {
      const StoredPart stored(parts[rank], host);
      const std::vector<bool> constant =
          data::constant_columns(stored.columns(), all_columns(), host.reducer());
      for (std::size_t f = 0; f < constant.size(); ++f) {
        CAPTURE(f);
        CHECK(constant[f] == (f == 4 || f == 6 || f == 7 || f == 14));
      }
    });
  }
}

TEST_CASE("content keys of ranks equal the keys of one process") {
  const Values values(500);
  std::vector<double> weights(values.rows, 1.0);
  weights[3] = 0.0;
  const std::vector<double> expected =
      rankmix::explain::content_keys(values.view(), weights);
  const std::vector<Part> parts = random_parts(values, 3, 2);
  run_ranks(3, 1, [&](std::size_t rank, Host& host) {
    const StoredPart stored(parts[rank], host);
    CHECK(rankmix::explain::content_keys(stored.columns(), all_columns(),
                                         taken(weights, parts[rank].rows),
                                         host) == taken(expected, parts[rank].rows));
  });
}

TEST_CASE("a query on two ranks is found on all ranks") {
  const std::vector<std::vector<std::string>> apart = {{"a", "b"}, {"c"}, {"", "aa"}};
  run_ranks(3, 1, [&](std::size_t rank, Host& host) {
    CHECK(data::find_shared_query(apart[rank], host.reducer()).count == 0);
  });
  const std::vector<std::vector<std::string>> shared = {
      {"a", "b"}, {"c", "z"}, {"z", "aa", "c"}, {"d", "c"}};
  run_ranks(4, 1, [&](std::size_t rank, Host& host) {
    const data::SharedQuery found = data::find_shared_query(shared[rank], host.reducer());
    CHECK(found.count == 2);
    CHECK(found.id == "c");
    CHECK(found.first == 1);
    CHECK(found.second == 2);
  });
  std::vector<std::string> many;
  for (int i = 0; i < 3000; ++i) {
    many.push_back(std::to_string(i));
  }
  run_ranks(2, 1, [&](std::size_t, Host& host) {
    CHECK(data::find_shared_query(many, host.reducer()).count == 1000);
  });
}
