// Regression trees with linear models: roots, searches, threads and bags.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/data/bins.h"
#include "core/regress/bag.h"
#include "core/regress/content_order.h"
#include "core/regress/grow.h"
#include "core/regress/node_sums.h"
#include "core/regress/predict.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::View;
namespace data = rankmix::data;
namespace regress = rankmix::regress;

namespace {

struct Case {
  std::size_t rows;
  std::size_t columns = 4;
  std::vector<double> x;
  std::vector<double> targets;
  std::vector<double> weights;
  std::vector<int> grades;
  std::vector<int> query;

  MatrixView<const double> view() const { return {x.data(), rows, columns}; }
};

// Features have few values, so that each value has its own bin.
Case make_case(std::size_t rows, unsigned seed) {
  Case made{rows, 4, {}, {}, {}, {}, {}};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (std::size_t i = 0; i < rows * made.columns; ++i) {
    made.x.push_back(std::round(3.0 * normal(random)));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double y = made.x[i] > 0.0 ? made.x[rows + i] : 2.0 - made.x[2 * rows + i];
    made.targets.push_back(y + 0.5 * normal(random));
    made.weights.push_back(i % 5 == 0 ? 0.0 : std::exp(0.3 * normal(random)));
    made.grades.push_back(static_cast<int>(i % 3));
    made.query.push_back(1 + static_cast<int>(i / 20));
  }
  return made;
}

regress::ModelTree grow(const Case& of, bool bins, rankmix::Host& host,
                        double min_split = 20.0) {
  const regress::DenseValues values(of.view());
  const data::BinnedMatrix binned(of.view(), {}, host);
  regress::TreeOptions options;
  options.min_split = min_split;
  return regress::grow_tree(values, bins ? &binned : nullptr, of.targets, of.weights,
                            regress::content_order(values, of.targets, of.weights, host),
                            std::vector<std::uint8_t>(of.columns, 1), options, host);
}

std::vector<double> predict(const regress::ModelTree& tree, const Case& on,
                            rankmix::Host& host) {
  std::vector<double> out(on.rows);
  regress::predict_model_tree(rankmix::tree::view_of(tree.forest),
                              {tree.begin, tree.feature, tree.weight},
                              regress::DenseValues(on.view()), on.rows, host, out.data());
  return out;
}

bool same(const regress::ModelTree& a, const regress::ModelTree& b) {
  return a.forest.feature == b.forest.feature &&
         a.forest.threshold == b.forest.threshold && a.forest.values == b.forest.values &&
         a.feature == b.feature && a.weight == b.weight;
}

}  // namespace

TEST_CASE("fifth roots equal pow() up to a few units in the last place") {
  std::mt19937_64 random(3);
  draw::Uniform<double> exponent(-290.0, 290.0);
  const double unit = std::ldexp(1.0, -52);
  for (int i = 0; i < 2000; ++i) {
    const double near = std::pow(10.0, exponent(random) / 20.0);
    CHECK(std::abs(regress::fifth_root(near) / std::pow(near, 0.2) - 1.0) < 6.0 * unit);
    // The error of each product is half a unit.
    const double a = std::pow(10.0, exponent(random));
    const double x = regress::fifth_root(a);
    CHECK(std::abs(x * x * x * x * x / a - 1.0) < 12.0 * unit);
  }
  CHECK(regress::fifth_root(0.0) == 0.0);
  CHECK(regress::fifth_root(32.0) == 2.0);
}

TEST_CASE("the variance of a single target is 0 in spite of rounding") {
  regress::NodeSums sums;
  for (int i = 0; i < 1000; ++i) {
    sums += {1.0, 0.1, 0.1 * 1.7, 0.1 * 1.7 * 1.7};
  }
  CHECK(sums.variance() == 0.0);
}

TEST_CASE("bins of all values and all values find the same splits") {
  ThreadHost host(1);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Case of = make_case(800, seed);
    const regress::ModelTree exact = grow(of, false, host);
    const regress::ModelTree binned = grow(of, true, host);
    CHECK(exact.forest.feature.size() > 3);
    CHECK(exact.forest.feature == binned.forest.feature);
    const std::vector<double> a = predict(exact, of, host);
    const std::vector<double> b = predict(binned, of, host);
    for (std::size_t i = 0; i < of.rows; ++i) {
      CHECK((of.weights[i] == 0.0 || std::abs(a[i] - b[i]) < 1e-9));
    }
  }
}

TEST_CASE("trees are the same on any number of threads") {
  ThreadHost one(1);
  ThreadHost four(4);
  // There is more than one block of rows.
  const Case of = make_case(20000, 11);
  for (bool bins : {true, false}) {
    const regress::ModelTree tree = grow(of, bins, one, 800.0);
    CHECK(same(tree, grow(of, bins, four, 800.0)));
    CHECK(predict(tree, of, one) == predict(tree, of, four));
  }
}

TEST_CASE("bags are the same on any number of threads and depend on document contents") {
  ThreadHost one(1);
  ThreadHost four(4);
  Case of = make_case(2000, 5);
  const regress::DenseValues values(of.view());
  const data::BinnedMatrix bins(of.view(), {}, one);
  regress::BagOptions bag;
  bag.seed = 7;
  bag.fraction = 0.3;
  bag.feature_fraction = 0.5;
  for (bool queries : {false, true}) {
    const std::vector<std::uint64_t> keys =
        regress::bag_keys(values, of.grades, of.query, of.weights, queries, one);
    CHECK(keys ==
          regress::bag_keys(values, of.grades, of.query, of.weights, queries, four));
    const regress::BagData all{values, &bins, of.targets, of.weights, keys};
    const auto a = regress::grow_bag(all, 20, bag, {}, one);
    const auto b = regress::grow_bag(all, 20, bag, {}, four);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(same(a[i], b[i]));
    }
    const std::vector<double> counts = regress::bag_counts(keys, of.weights, bag, 3);
    for (std::size_t i = 0; i < of.rows; ++i) {
      CHECK((of.weights[i] > 0.0 || counts[i] == 0.0));
      CHECK((!queries || i % 20 < 2 || of.weights[i] == 0.0 || of.weights[i - 1] == 0.0 ||
             counts[i] == counts[i - 1]));
    }
  }
}

TEST_CASE("impossible trees and bags throw") {
  ThreadHost host(1);
  Case of = make_case(50, 1);
  CHECK_THROWS_AS(grow(of, true, host, 0.0), rankmix::InvalidArgument);
  of.targets.pop_back();
  CHECK_THROWS_AS(grow(of, true, host), rankmix::InvalidArgument);
  of = make_case(50, 1);
  std::fill(of.weights.begin(), of.weights.end(), 0.0);
  CHECK_THROWS_AS(grow(of, true, host), rankmix::InvalidArgument);
  regress::BagOptions bag;
  bag.fraction = 0.0;
  CHECK_THROWS_AS(bag.validate(), rankmix::InvalidArgument);
}
