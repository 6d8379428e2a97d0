// Compares both methods of prediction with plain walks through the trees, also for
// forests that no training would grow.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "boost_case.h"
#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/tree/byte_columns.h"
#include "core/tree/predict.h"
#include "core/tree/ranked_rows.h"
#include "core/tree/sliced.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::SparseView;
using rankmix::View;
namespace tree = rankmix::tree;

namespace {

using Random = std::mt19937_64;
using Thresholds = std::vector<std::vector<double>>;  // possible thresholds, by feature

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

Thresholds draw_thresholds(std::size_t features, std::size_t count, Random& random) {
  draw::Normal<double> normal;
  Thresholds thresholds(features, {kInf, -kInf, 0.0, -0.0, kTiny, -kTiny, 1e308, -1e308});
  for (std::vector<double>& of_feature : thresholds) {
    draw::shuffle(of_feature.begin(), of_feature.end(), random);
    of_feature.resize(std::min<std::size_t>(count, of_feature.size()));
    while (of_feature.size() < count) {
      of_feature.push_back(normal(random));
    }
  }
  return thresholds;
}

struct Rows {
  std::size_t rows;
  std::size_t features;
  std::vector<double> x;

  MatrixView<const double> view() const { return {x.data(), rows, features}; }
};

// Values at and next to thresholds, other numbers and infinite numbers. Features other
// than 0, 3, 6, and so on also have missing values.
Rows draw_rows(std::size_t rows, const Thresholds& thresholds, Random& random) {
  Rows data{rows, thresholds.size(), std::vector<double>(rows * thresholds.size())};
  draw::Normal<double> normal;
  for (std::size_t f = 0; f < data.features; ++f) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double threshold = thresholds[f][random() % thresholds[f].size()];
      const double choices[] = {threshold,
                                threshold,
                                std::nextafter(threshold, kInf),
                                std::nextafter(threshold, -kInf),
                                normal(random),
                                random() % 2 == 0 ? kInf : -kInf,
                                random() % 2 == 0 ? 0.0 : -0.0,
                                f % 3 == 0 ? 1.5 : std::nan("")};
      data.x[f * rows + i] = choices[random() % 8];
    }
  }
  return data;
}

// The shape of a tree: a random tree, or a chain in which the left or right child of
// every node is a leaf, or a tree whose parents come before their children.
enum class Shape { kRandom, kLeftChain, kRightChain, kOrdered };

// Adds the trees of a round to a forest. Except for ordered trees, the nodes after the
// root and the leaves have a random order.
class Planter {
 public:
  Planter(std::size_t outputs, const Thresholds& thresholds, Random& random)
      : thresholds_(thresholds), random_(random) {
    forest_.outputs = outputs;
  }

  const tree::Forest& forest() const { return forest_; }

  void add_round(const std::vector<std::size_t>& leaves, Shape shape = Shape::kRandom) {
    for (std::size_t count : leaves) {
      add_tree(count, shape);
    }
    forest_.round_begin.push_back(static_cast<int>(forest_.node_begin.size()) - 1);
  }

  // A round of one tree that grows level by level, with one test for each level. A leaf
  // is not split with probability `whole` / 8. Tests may be repeated, also in successive
  // levels.
  void add_levels(std::size_t depth, std::size_t whole) {
    struct End {
      int* child;  // child index in its parent; null: the root
    };
    const std::size_t base = forest_.feature.size();
    const std::size_t most = std::size_t{1} << depth;
    forest_.left.reserve(base + most);
    forest_.right.reserve(base + most);
    std::vector<End> ends{{nullptr}};
    for (std::size_t level = 0; level < depth; ++level) {
      const std::size_t f = random_() % thresholds_.size();
      const double threshold = thresholds_[f][random_() % thresholds_[f].size()];
      const int missing_left = static_cast<int>(random_() % 2);
      std::vector<End> next;
      for (const End& end : ends) {
        if (level > 0 && random_() % 8 < whole) {
          next.push_back(end);
          continue;
        }
        if (end.child != nullptr) {
          *end.child = static_cast<int>(forest_.feature.size() - base);
        }
        forest_.feature.push_back(static_cast<int>(f));
        forest_.threshold.push_back(threshold);
        forest_.missing_left.push_back(missing_left);
        forest_.left.push_back(0);
        forest_.right.push_back(0);
        next.push_back({&forest_.left.back()});
        next.push_back({&forest_.right.back()});
      }
      ends = std::move(next);
    }
    draw::Normal<double> normal;
    for (std::size_t leaf = 0; leaf < ends.size(); ++leaf) {
      *ends[leaf].child = ~static_cast<int>(leaf);
      for (std::size_t l = 0; l < forest_.outputs; ++l) {
        forest_.values.push_back(normal(random_));
      }
    }
    forest_.node_begin.push_back(static_cast<int>(forest_.feature.size()));
    forest_.leaf_begin.push_back(forest_.leaf_begin.back() +
                                 static_cast<int>(ends.size()));
    forest_.round_begin.push_back(static_cast<int>(forest_.node_begin.size()) - 1);
  }

 private:
  void add_tree(std::size_t leaves, Shape shape) {
    nodes_ = shuffled(leaves - 1, shape == Shape::kOrdered ? leaves - 1 : 1);
    leaves_ = shuffled(leaves, 0);
    const std::size_t base = forest_.feature.size();
    for (std::size_t n = 0; n + 1 < leaves; ++n) {
      const std::size_t f = random_() % thresholds_.size();
      forest_.feature.push_back(static_cast<int>(f));
      forest_.threshold.push_back(thresholds_[f][random_() % thresholds_[f].size()]);
      forest_.missing_left.push_back(static_cast<int>(random_() % 2));
    }
    forest_.left.resize(base + leaves - 1);
    forest_.right.resize(base + leaves - 1);
    grow(base, leaves, shape);
    draw::Normal<double> normal;
    for (std::size_t v = 0; v < leaves * forest_.outputs; ++v) {
      forest_.values.push_back(normal(random_));
    }
    forest_.node_begin.push_back(static_cast<int>(forest_.feature.size()));
    forest_.leaf_begin.push_back(forest_.leaf_begin.back() + static_cast<int>(leaves));
  }

  // A random order of the numbers below `count`, to be used from the back. The last
  // `fixed` numbers keep their order, so that 0 is the last.
  std::vector<int> shuffled(std::size_t count, std::size_t fixed) {
    std::vector<int> numbers(count);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    if (count > fixed) {
      draw::shuffle(numbers.begin(), numbers.end() - static_cast<int>(fixed), random_);
    }
    return numbers;
  }

  // Adds a subtree with this number of leaves. Returns its index as a child.
  int grow(std::size_t base, std::size_t leaves, Shape shape) {
    std::vector<int>& numbers = leaves == 1 ? leaves_ : nodes_;
    const int number = numbers.back();
    numbers.pop_back();
    if (leaves == 1) {
      return ~number;
    }
    const std::size_t left = shape == Shape::kLeftChain    ? leaves - 1
                             : shape == Shape::kRightChain ? 1
                                                           : 1 + random_() % (leaves - 1);
    const std::size_t node = base + static_cast<std::size_t>(number);
    forest_.left[node] = grow(base, left, shape);
    forest_.right[node] = grow(base, leaves - left, shape);
    return number;
  }

  const Thresholds& thresholds_;
  Random& random_;
  tree::Forest forest_;
  std::vector<int> nodes_;  // numbers that are left for nodes and leaves of the tree
  std::vector<int> leaves_;
};

std::vector<double> draw_weights(const tree::Forest& forest, Random& random) {
  draw::Normal<double> normal;
  std::vector<double> weights(forest.round_begin.size() - 1);
  for (double& weight : weights) {
    weight = normal(random);
  }
  return weights;
}

// Predictions by the definition.
std::vector<double> walked(const tree::Forest& of, const std::vector<double>& weights,
                           const Rows& data, const std::vector<int>& stages) {
  const tree::ForestView forest = view_of(of);
  std::vector<double> out(data.rows * forest.outputs * stages.size());
  std::vector<double> row(data.features);
  for (std::size_t i = 0; i < data.rows; ++i) {
    for (std::size_t f = 0; f < data.features; ++f) {
      row[f] = data.x[f * data.rows + i];
    }
    std::vector<double> sums(forest.outputs, 0.0);
    std::size_t r = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      for (; r < static_cast<std::size_t>(stages[s]); ++r) {
        std::vector<double> product(forest.outputs, 1.0);
        for (int t = forest.round_begin[r]; t < forest.round_begin[r + 1]; ++t) {
          const auto at = static_cast<std::size_t>(t);
          const int leaf = forest.leaf_begin[at] +
                           tree::find_leaf(forest, forest.feature.data(), at, row.data());
          for (std::size_t l = 0; l < forest.outputs; ++l) {
            product[l] *=
                forest.values[static_cast<std::size_t>(leaf) * forest.outputs + l];
          }
        }
        for (std::size_t l = 0; l < forest.outputs; ++l) {
          sums[l] += weights[r] * product[l];
        }
      }
      for (std::size_t l = 0; l < forest.outputs; ++l) {
        out[(s * forest.outputs + l) * data.rows + i] = sums[l];
      }
    }
  }
  return out;
}

template <class Matrix>
std::vector<double> predicted(const tree::Forest& forest,
                              const std::vector<double>& weights, const Matrix& x,
                              const std::vector<int>& stages, bool wide,
                              unsigned threads) {
  ThreadHost host(threads);
  std::vector<double> out(x.rows() * forest.outputs * stages.size(), -1.0);
  rankmix::allow_avx2(wide);
  tree::predict_staged(view_of(forest), weights, x, stages, host, out.data());
  rankmix::allow_avx2(true);
  return out;
}

// Sliced predictions, for any number of rows.
template <class Matrix>
std::vector<double> sliced(const tree::Forest& of, const std::vector<double>& weights,
                           const Matrix& x, const std::vector<int>& stages) {
#if RANKMIX_HAS_AVX2
  if (rankmix::has_avx2()) {
    ThreadHost host(1);
    const tree::ForestView forest = view_of(of);
    const tree::ByteColumns columns(forest, x.cols(), host);
    const tree::SlicedForest slices(forest, weights, columns.questions(), host);
    std::vector<double> out(x.rows() * of.outputs * stages.size(), -1.0);
    const std::size_t block_rows = slices.block_rows();
    tree::ByteBlock block(block_rows / tree::kSliceRows, columns.questions().slots);
    for (std::size_t begin = 0; begin < x.rows(); begin += block_rows) {
      const std::size_t end = std::min(x.rows(), begin + block_rows);
      columns.fill(x, begin, end, block);
      slices.predict(block, stages, begin, end, x.rows(), out.data());
    }
    return out;
  }
#endif
  return predicted(of, weights, x, stages, true, 1);
}

// Predictions by ranking the rows of each slice, for any number of rows.
template <class Matrix>
std::vector<double> ranked(const tree::Forest& of, const std::vector<double>& weights,
                           const Matrix& x, const std::vector<int>& stages) {
#if RANKMIX_HAS_AVX2
  if (rankmix::has_avx2()) {
    ThreadHost host(1);
    const tree::ForestView forest = view_of(of);
    std::vector<double> out(x.rows() * of.outputs * stages.size(), -1.0);
    for (std::size_t begin = 0; begin < x.rows(); begin += tree::kSliceRows) {
      const std::size_t end = std::min(x.rows(), begin + tree::kSliceRows);
      const tree::RankedRows rows({&forest, 1}, x, begin, end);
      const tree::ByteQuestions questions = rows.questions(forest);
      const tree::SlicedForest slices(forest, weights, questions, host);
      slices.predict(rows.block(), stages, begin, end, x.rows(), out.data());
    }
    return out;
  }
#endif
  return predicted(of, weights, x, stages, true, 1);
}

// The same rows in sparse form. -0 is stored.
struct SparseRows {
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts{0};
  std::size_t rows;

  explicit SparseRows(const Rows& data) : rows(data.rows) {
    for (std::size_t f = 0; f < data.features; ++f) {
      for (std::size_t i = 0; i < rows; ++i) {
        const double x = data.x[f * rows + i];
        if (x != 0.0 || std::signbit(x)) {
          values.push_back(x);
          row_of.push_back(static_cast<int>(i));
        }
      }
      starts.push_back(static_cast<int>(values.size()));
    }
  }
  SparseView view() const { return {values, row_of, starts, rows}; }
};

bool all_ways_agree(const tree::Forest& forest, const Rows& data,
                    const std::vector<int>& stages, Random& random) {
  const std::vector<double> weights = draw_weights(forest, random);
  const std::vector<double> expected = walked(forest, weights, data, stages);
  const SparseRows sparse(data);
  return sliced(forest, weights, data.view(), stages) == expected &&
         sliced(forest, weights, sparse.view(), stages) == expected &&
         ranked(forest, weights, data.view(), stages) == expected &&
         ranked(forest, weights, sparse.view(), stages) == expected &&
         predicted(forest, weights, data.view(), stages, false, 1) == expected &&
         predicted(forest, weights, data.view(), stages, true, 3) == expected &&
         predicted(forest, weights, sparse.view(), stages, false, 3) == expected &&
         predicted(forest, weights, sparse.view(), stages, true, 1) == expected;
}

}  // namespace

TEST_CASE("all methods of prediction agree for any number of outputs and rows") {
  Random random(1);
  const Thresholds thresholds = draw_thresholds(5, 12, random);
  const std::vector<std::size_t> row_counts{1, 2, 31, 127, 128, 129, 511, 512, 513, 1500};
  for (std::size_t outputs : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 12U, 31U}) {
    Planter planter(outputs, thresholds, random);
    for (std::size_t leaves : {1U, 2U, 3U, 8U, 1U, 40U, 5U, 64U, 2U, 17U, 8U}) {
      planter.add_round({leaves});
    }
    const Rows data = draw_rows(row_counts[outputs % 10], thresholds, random);
    CHECK(all_ways_agree(planter.forest(), data, {11}, random));
  }
  Planter planter(1, thresholds, random);
  planter.add_round({9});
  planter.add_round({20});
  for (std::size_t rows : row_counts) {
    const Rows data = draw_rows(rows, thresholds, random);
    CHECK(all_ways_agree(planter.forest(), data, {2}, random));
  }
}

TEST_CASE("all methods of prediction agree at several stages of products") {
  Random random(2);
  const Thresholds thresholds = draw_thresholds(7, 30, random);
  for (std::size_t outputs : {1U, 3U, 5U, 10U}) {
    Planter planter(outputs, thresholds, random);
    for (std::size_t r = 0; r < 50; ++r) {
      // Some rounds are single trees, and some are products of up to five trees.
      std::vector<std::size_t> leaves{1 + random() % 12};
      for (std::size_t k = r / 7 % 2 == 0 ? 0 : 1 + random() % 4; k > 0; --k) {
        leaves.push_back(1 + random() % 4);
      }
      planter.add_round(leaves);
    }
    const Rows data = draw_rows(700, thresholds, random);
    CHECK(all_ways_agree(planter.forest(), data, {0, 1, 5, 9, 9, 10, 26, 50}, random));
    CHECK(all_ways_agree(planter.forest(), data, {3, 33}, random));
    CHECK(all_ways_agree(planter.forest(), data, {0}, random));
    CHECK(all_ways_agree(planter.forest(), data, {}, random));
  }
}

TEST_CASE("all methods of prediction agree for any number of thresholds of a feature") {
  for (std::size_t count : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 239U, 240U, 241U, 254U,
                            255U, 256U, 257U, 510U, 511U, 600U}) {
    Random random(3);
    const Thresholds thresholds = draw_thresholds(2, count, random);
    Planter planter(1, thresholds, random);
    // There are so many nodes that almost all thresholds are used.
    for (std::size_t nodes = 0; nodes < 10 * count; nodes += 15) {
      planter.add_round({16});
    }
    const auto rounds = static_cast<int>(planter.forest().round_begin.size()) - 1;
    const Rows data = draw_rows(300, thresholds, random);
    CHECK(all_ways_agree(planter.forest(), data, {rounds}, random));
  }
}

TEST_CASE("all methods of prediction agree for trees of any size and shape") {
  Random random(4);
  const Thresholds thresholds = draw_thresholds(6, 100, random);
  for (std::size_t outputs : {1U, 2U}) {
    for (Shape shape :
         {Shape::kRandom, Shape::kLeftChain, Shape::kRightChain, Shape::kOrdered}) {
      Planter planter(outputs, thresholds, random);
      for (std::size_t leaves : {255U, 256U, 257U, 3U, 258U, 1000U, 2U}) {
        planter.add_round({leaves}, shape);
      }
      planter.add_round({300, 20, 256}, shape);
      const Rows data = draw_rows(600, thresholds, random);
      CHECK(all_ways_agree(planter.forest(), data, {4, 8}, random));
    }
  }
  Planter planter(1, thresholds, random);
  planter.add_round({65536});
  CHECK(
      all_ways_agree(planter.forest(), draw_rows(600, thresholds, random), {1}, random));
}

TEST_CASE("all methods of prediction agree for trees with one test for each level") {
  Random random(7);
  for (std::size_t outputs : {1U, 3U, 5U}) {
    for (std::size_t distinct : {2U, 9U}) {
      const Thresholds thresholds = draw_thresholds(distinct, distinct, random);
      Planter planter(outputs, thresholds, random);
      for (std::size_t whole : {0U, 1U, 5U}) {
        for (std::size_t depth = 1; depth <= 10; ++depth) {
          planter.add_levels(depth, whole);
        }
        planter.add_round({30, 4}, Shape::kOrdered);
      }
      const Rows data = draw_rows(300, thresholds, random);
      CHECK(all_ways_agree(planter.forest(), data, {5, 33}, random));
    }
  }
}

TEST_CASE(
    "all methods of prediction agree for forests without nodes, rounds or features") {
  Random random(5);
  const Thresholds thresholds = draw_thresholds(40, 4, random);
  const Rows data = draw_rows(200, thresholds, random);
  Planter none(3, thresholds, random);
  CHECK(all_ways_agree(none.forest(), data, {0}, random));
  Planter leaves(3, thresholds, random);
  leaves.add_round({1});
  leaves.add_round({1, 1});
  CHECK(all_ways_agree(leaves.forest(), data, {1, 2}, random));
  // A forest that uses few of many features.
  Planter stump(2, thresholds, random);
  stump.add_round({2});
  CHECK(all_ways_agree(stump.forest(), data, {1}, random));
  const Rows nothing{0, 40, {}};
  CHECK(all_ways_agree(stump.forest(), nothing, {1}, random));
}

TEST_CASE("a NaN threshold sends all present values to the right") {
  Random random(6);
  Thresholds thresholds = draw_thresholds(3, 5, random);
  const Rows data = draw_rows(400, thresholds, random);
  thresholds[1].push_back(std::nan(""));
  Planter planter(1, thresholds, random);
  for (std::size_t r = 0; r < 20; ++r) {
    planter.add_round({4});
  }
  const std::vector<double> weights = draw_weights(planter.forest(), random);
  const std::vector<double> expected = walked(planter.forest(), weights, data, {20});
  CHECK(predicted(planter.forest(), weights, data.view(), {20}, true, 1) == expected);
  CHECK(predicted(planter.forest(), weights, data.view(), {20}, false, 1) == expected);
  CHECK(ranked(planter.forest(), weights, data.view(), {20}) == expected);
}

TEST_CASE("an interrupt leaves prediction by an exception") {
  Random random(7);
  const Thresholds thresholds = draw_thresholds(3, 5, random);
  Planter planter(1, thresholds, random);
  for (std::size_t r = 0; r < 4000; ++r) {
    planter.add_round({2});
  }
  const Rows data = draw_rows(12000, thresholds, random);
  const std::vector<double> weights = draw_weights(planter.forest(), random);
  const std::vector<int> stages{4000};
  std::vector<double> out(data.rows);
  for (bool wide : {true, false}) {
    ThreadHost host(2);
    rankmix::allow_avx2(wide);
    // Preparing a sliced forest checks for an interrupt once for each feature, and once
    // for these few nodes.
    host.interrupt_after(wide && rankmix::has_avx2() ? 3 + 1 + 1 : 1);
    CHECK_THROWS_AS(tree::predict_staged(view_of(planter.forest()), weights, data.view(),
                                         stages, host, out.data()),
                    rankmix::Interrupted);
    rankmix::allow_avx2(true);
  }
}
