#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "boost_case.h"
#include "core/data/bins.h"
#include "core/data/letor.h"
#include "core/data/scan.h"
#include "core/data/sparse.h"
#include "core/data/training_digest.h"
#include "core/tree/predict.h"
#include "draw.h"
#include "memory_text.h"
#include "thread_host.h"

namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

// The same matrix in dense and sparse form.
struct Matrix {
  std::size_t rows;
  std::vector<double> dense;
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts{0};

  rankmix::MatrixView<const double> dense_view() const {
    return {dense.data(), rows, starts.size() - 1};
  }
  rankmix::SparseView sparse_view() const { return {values, row_of, starts, rows}; }
};

// Columns of different density and numbers of distinct values. Some are all 0, some have
// no zeros, and some have missing values.
Matrix simulate(std::size_t rows, std::size_t features, unsigned seed) {
  Matrix matrix{rows, std::vector<double>(rows * features), {}, {}};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  draw::Uniform<double> uniform;
  for (std::size_t f = 0; f < features; ++f) {
    const double density = f % 7 == 3   ? 0.0
                           : f % 7 == 4 ? 1.0
                                        : 0.02 + 0.3 * uniform(random);
    for (std::size_t i = 0; i < rows; ++i) {
      double value = uniform(random) < density ? normal(random) : 0.0;
      if (f % 2 == 1) {
        value = std::round(value);
      }
      if (f % 5 == 2 && random() % 50 == 0) {
        value = std::nan("");
      }
      matrix.dense[f * rows + i] = value;
      if (value != 0.0) {
        matrix.values.push_back(value);
        matrix.row_of.push_back(static_cast<int>(i));
      }
    }
    matrix.starts.push_back(static_cast<int>(matrix.values.size()));
  }
  return matrix;
}

void compare_bins(const Matrix& matrix, int max_bins, rankmix::Host& host) {
  data::BinOptions options;
  options.max_bins = max_bins;
  const data::BinnedMatrix dense(matrix.dense_view(), options, host);
  const data::BinnedMatrix sparse(matrix.sparse_view(), options, host);
  bool same = dense.features() == sparse.features();
  for (std::size_t f = 0; f < dense.features(); ++f) {
    same = same && dense.feature(f).thresholds == sparse.feature(f).thresholds &&
           dense.feature(f).has_missing == sparse.feature(f).has_missing;
    dense.with_bins_of(f, [&](const auto& bin) {
      sparse.with_bins_of(f, [&](const auto& other) {
        for (std::size_t i = 0; i < matrix.rows; ++i) {
          same = same && bin(i) == other(i);
        }
      });
    });
  }
  CHECK(same);
  const std::vector<int> grades(matrix.rows, 1);
  CHECK(data::training_digest(dense, grades, {}, host) ==
        data::training_digest(sparse, grades, {}, host));
}

}  // namespace

TEST_CASE("bins of sparse and dense data are equal") {
  ThreadHost host(2);
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (int max_bins : {2, 17, 255}) {
      compare_bins(simulate(1 + 300 * seed, 4 + 9 * seed, seed), max_bins, host);
    }
  }
  const Matrix wide = simulate(50, 2000, 9);
  compare_bins(wide, 255, host);
  const data::BinnedMatrix bins(wide.sparse_view(), {}, host);
  CHECK(bins.tiles().size() > 10);
}

TEST_CASE("a changed value, grade or weight changes the digest of training data") {
  ThreadHost one(1);
  ThreadHost two(2);
  Matrix matrix = simulate(20000, 12, 5);
  std::vector<int> grades(matrix.rows, 1);
  std::vector<double> weights(matrix.rows, 1.0);
  auto mark = [&](rankmix::Host& host) {
    const data::BinnedMatrix bins(matrix.dense_view(), {}, host);
    return data::training_digest(bins, grades, weights, host);
  };
  const std::uint64_t first = mark(one);
  CHECK(mark(two) == first);
  // The thresholds stay the same, and two rows get other bins.
  double* feature = matrix.dense.data() + 4 * matrix.rows;
  std::swap(feature[17], feature[19]);
  CHECK(mark(two) != first);
  std::swap(feature[17], feature[19]);
  grades[3] = 2;
  const std::uint64_t regraded = mark(two);
  CHECK(regraded != first);
  std::swap(grades[3], grades[4]);
  CHECK(mark(two) != regraded);
  grades[4] = 1;
  weights[19999] = 1.0 + 1e-15;
  CHECK(mark(two) != first);
  weights[19999] = 1.0;
  CHECK(mark(two) == first);
}

TEST_CASE("sparse data train and predict as dense data") {
  ThreadHost one(1);
  ThreadHost two(2);
  const Matrix matrix = simulate(20000, 40, 3);
  std::vector<int> grades;
  std::mt19937_64 random(4);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const double utility = matrix.dense[4 * matrix.rows + i] + 2 * matrix.dense[i];
    grades.push_back(utility > 1.0 ? 2 : utility > 0.0 || random() % 9 == 0 ? 1 : 0);
  }
  TrainOptions options;
  options.rounds = 8;
  options.leaves = 12;
  const data::BinnedMatrix dense(matrix.dense_view(), {}, one);
  const data::BinnedMatrix sparse(matrix.sparse_view(), {}, two);
  const auto a = train_on(dense, grades, 3, options, one);
  const auto b = train_on(sparse, grades, 3, options, two);
  CHECK((a.alpha == b.alpha && a.forest.feature == b.forest.feature &&
         a.forest.threshold == b.forest.threshold && a.forest.values == b.forest.values &&
         a.forest.missing_left == b.forest.missing_left));
  const tree::ForestView forest = view_of(a.forest);
  const std::vector<int> stages = {0, 3, 8};
  std::vector<double> ours(matrix.rows * 3 * stages.size());
  std::vector<double> theirs(ours.size());
  tree::predict_staged(forest, a.alpha, matrix.dense_view(), stages, one, ours.data());
  tree::predict_staged(forest, a.alpha, matrix.sparse_view(), stages, two, theirs.data());
  CHECK(ours == theirs);
}

TEST_CASE("scans of sparse and dense data have the same result") {
  ThreadHost host(2);
  Matrix matrix = simulate(200, 30, 5);
  auto compare = [&] {
    const data::FeatureScan a = data::scan_features(matrix.dense_view(), host);
    const data::FeatureScan b = data::scan_features(matrix.sparse_view(), host);
    CHECK((a.constant == b.constant && a.missing == b.missing &&
           a.has_infinite == b.has_infinite && a.infinite_row == b.infinite_row &&
           a.infinite_col == b.infinite_col));
  };
  compare();
  const std::size_t entry = matrix.values.size() / 2;
  std::size_t column = 0;
  while (static_cast<std::size_t>(matrix.starts[column + 1]) <= entry) {
    ++column;
  }
  matrix.values[entry] = -INFINITY;
  matrix.dense[column * matrix.rows + static_cast<std::size_t>(matrix.row_of[entry])] =
      -INFINITY;
  compare();
}

TEST_CASE("text is read into sparse columns") {
  const std::string text =
      "1 qid:a 2:0.5 900000:-3\n0 qid:a 1:0 3:NULL 4:1e-320\n2 qid:b\n0 qid:b 2:7\n";
  for (std::size_t piece : {7U, 100U}) {
    ThreadHost host(2);
    data::LetorOptions options;
    options.max_index = data::kMaxSparseIndex;
    data::LetorReader reader(options, host);
    MemoryText source(text, piece);
    reader.count(source);
    source.rewind();
    std::vector<double> grades(reader.rows());
    std::vector<int> queries(reader.rows());
    data::CompressedRows rows;
    reader.read(source, rows, {grades.data(), grades.size()},
                {queries.data(), queries.size()});
    CHECK(reader.features() == 900000);
    CHECK(rows.ends == std::vector<std::size_t>({2, 4, 4, 5}));
    std::vector<int> starts(reader.features() + 1);
    std::vector<int> row_of(rows.values.size());
    std::vector<double> values(rows.values.size());
    data::to_columns(rows, {starts.data(), starts.size()}, {row_of.data(), row_of.size()},
                     {values.data(), values.size()});
    CHECK((starts[1] == 0 && starts[2] == 2 && starts[3] == 3 && starts[4] == 4 &&
           starts[899999] == 4 && starts[900000] == 5));
    CHECK(row_of == std::vector<int>({0, 3, 1, 1, 0}));
    CHECK((values[0] == 0.5 && values[1] == 7 && std::isnan(values[2]) &&
           values[3] == 1e-320 && values[4] == -3));
  }
}
