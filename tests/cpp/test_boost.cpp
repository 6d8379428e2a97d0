#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <variant>
#include <vector>

#include "boost_case.h"
#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/base/units.h"
#include "core/boost/adaboost_mh.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/draw.h"
#include "core/boost/edge_score.h"
#include "core/boost/gbrt.h"
#include "core/boost/variance_score.h"
#include "core/tree/leaf_ids.h"
#include "core/tree/predict.h"
#include "core/tree/route.h"
#include "core/tree/search.h"
#include "core/tree/search_flipped.h"
#include "draw.h"
#include "few_cases.h"
#include "thread_host.h"

using rankmix::Host;
using rankmix::MatrixView;
using rankmix::View;
namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

struct Problem {
  std::size_t rows;
  std::size_t features;
  std::vector<double> x;
  std::vector<int> grades;

  MatrixView<const double> view() const { return {x.data(), rows, features}; }
};

// Enough rows for several blocks and several features for more than one tile.
Problem simulate(std::size_t rows, std::size_t features, int classes, unsigned seed) {
  Problem problem{rows, features, std::vector<double>(rows * features),
                  std::vector<int>(rows)};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (std::size_t f = 0; f < features; ++f) {
    for (std::size_t i = 0; i < rows; ++i) {
      double value = normal(random);
      if (f % 3 == 1) {
        value = std::floor(std::exp(value));
      }
      if (f % 5 == 2 && random() % 7 == 0) {
        value = std::nan("");
      }
      problem.x[f * rows + i] = value;
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double utility =
        problem.x[i] + std::abs(problem.x[3 * rows + i]) + normal(random);
    problem.grades[i] = std::min(classes - 1, std::max(0, static_cast<int>(utility)));
  }
  return problem;
}

boost::AdaBoostModel train(const Problem& problem, const TrainOptions& options,
                           int classes, rankmix::Host& host) {
  const data::BinnedMatrix bins(problem.view(), {}, host);
  return train_on(bins, problem.grades, classes, options, host);
}

bool same(const boost::AdaBoostModel& a, const boost::AdaBoostModel& b) {
  return a.alpha == b.alpha && a.edge == b.edge && a.forest.feature == b.forest.feature &&
         a.forest.threshold == b.forest.threshold && a.forest.left == b.forest.left &&
         a.forest.right == b.forest.right && a.forest.values == b.forest.values &&
         a.forest.missing_left == b.forest.missing_left;
}

}  // namespace

TEST_CASE("models have the same bits on any number of threads") {
  for (int classes : {2, 3, 5, 9}) {
    const Problem problem = simulate(30000, 61, classes, 1);
    TrainOptions options;
    options.rounds = 3;
    options.leaves = 8;
    options.feature_fraction = 0.7;
    ThreadHost one(1);
    ThreadHost two(2);
    ThreadHost four(4);
    const boost::AdaBoostModel model = train(problem, options, classes, one);
    CHECK(model.alpha.size() == 3);
    CHECK(same(model, train(problem, options, classes, two)));
    CHECK(same(model, train(problem, options, classes, four)));
  }
}

TEST_CASE("predictions have the same bits on any number of threads") {
  const Problem problem = simulate(1000, 20, 3, 2);
  TrainOptions options;
  options.rounds = 12;
  options.leaves = 5;
  ThreadHost one(1);
  ThreadHost three(3);
  const boost::AdaBoostModel model = train(problem, options, 3, one);
  const std::vector<int> stages{0, 3, 12};
  std::vector<double> a(problem.rows * 3 * stages.size());
  std::vector<double> b(a.size());
  tree::predict_staged(view_of(model.forest), model.alpha, problem.view(), stages, one,
                       a.data());
  tree::predict_staged(view_of(model.forest), model.alpha, problem.view(), stages, three,
                       b.data());
  CHECK(a == b);
  CHECK(a[0] == 0.0);
  CHECK(a.back() != 0.0);
}

TEST_CASE("the reported edge is the edge of the predictions") {
  const Problem problem = simulate(2000, 20, 3, 3);
  TrainOptions options;
  options.rounds = 1;
  options.leaves = 6;
  options.weights = boost::WeightScheme::kUniform;
  ThreadHost host(2);
  const boost::AdaBoostModel model = train(problem, options, 3, host);
  const std::vector<int> stages{1};
  std::vector<double> f(problem.rows * 3);
  tree::predict_staged(view_of(model.forest), model.alpha, problem.view(), stages, host,
                       f.data());
  double edge = 0.0;
  for (std::size_t i = 0; i < problem.rows; ++i) {
    for (std::size_t l = 0; l < 3; ++l) {
      const bool own = static_cast<int>(l) == problem.grades[i];
      const double weight = (own ? 0.5 : 0.25) / static_cast<double>(problem.rows);
      const double vote = f[l * problem.rows + i] / model.alpha[0];
      edge += weight * (own ? vote : -vote);
    }
  }
  CHECK(std::abs(edge - model.edge[0]) < 1e-12);
}

TEST_CASE("an interrupt leaves the fit by an exception") {
  const Problem problem = simulate(500, 20, 3, 4);
  TrainOptions options;
  options.rounds = 50;
  ThreadHost host(2);
  host.interrupt_after(20);
  CHECK_THROWS_AS(train(problem, options, 3, host), rankmix::Interrupted);
  CHECK((host.progressed() > 0 && host.progressed() < 50));
}

TEST_CASE("a product checks for an interrupt before each stump") {
  const Problem problem = simulate(500, 20, 3, 4);
  ThreadHost host(1);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  boost::ProductLearner products(4);
  boost::AdaBoost booster(bins, problem.grades, {}, 3, {}, products, host);
  host.interrupt_after(3);  // in the first round
  CHECK_THROWS_AS(booster.run(1, 1, host), rankmix::Interrupted);
  CHECK(booster.model().alpha.empty());
}

TEST_CASE("documents without weight reward no arm") {
  boost::Exp3P arms({0, 1, 2}, boost::BanditOptions(), 1);
  arms.search(0.0);
  arms.choose();
  arms.reward(tree::ScoreKind::kEdge, 0.0);
  CHECK(arms.pulls().reward == std::vector<double>{0.0});
}

TEST_CASE("impossible options are refused") {
  const Problem problem = simulate(100, 20, 3, 5);
  ThreadHost host(1);
  TrainOptions options;
  options.leaves = 1;
  CHECK_THROWS_AS(train(problem, options, 3, host), rankmix::InvalidArgument);
  options.leaves = 2;
  CHECK_THROWS_AS(train(problem, options, 1, host), rankmix::InvalidArgument);
  options.feature_fraction = 0.0;
  CHECK_THROWS_AS(train(problem, options, 3, host), rankmix::InvalidArgument);
}

TEST_CASE("a worker's exception reaches the caller") {
  ThreadHost host(2);
  CHECK_THROWS_AS(
      host.parallel_for(
          8, [](std::size_t i) { i == 5 ? throw rankmix::Interrupted() : void(); }),
      rankmix::Interrupted);
}

TEST_CASE(
    "a resumed fit equals an uninterrupted fit, also for products and Hamming trees") {
  const Problem problem = simulate(9000, 6, 4, 21);
  ThreadHost host(2);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  boost::TreeLearner trees(7);
  boost::HammingTreeLearner hamming(7);
  boost::ProductLearner products(4);
  for (boost::BaseLearner* learner :
       std::vector<boost::BaseLearner*>{&trees, &hamming, &products}) {
    boost::AdaBoostOptions options;
    options.feature_fraction = 0.6;
    boost::AdaBoost whole(bins, problem.grades, {}, 4, options, *learner, host);
    whole.run(9, 9, host);
    boost::AdaBoost first(bins, problem.grades, {}, 4, options, *learner, host);
    first.run(4, 9, host);
    const boost::AdaBoostModel& half = first.model();
    boost::AdaBoost second(bins, problem.grades, {}, 4, options, *learner, host);
    second.replay(half, host);
    second.run(5, 9, host);
    CHECK(same(second.model(), whole.model()));
    CHECK(second.model().forest.gains == whole.model().forest.gains);
    CHECK(whole.model().forest.gains.size() == whole.model().forest.feature.size());

    // Data on which the model was not trained are refused.
    Problem other = problem;
    other.grades[17] = (other.grades[17] + 1) % 4;
    boost::AdaBoost wrong(bins, other.grades, {}, 4, options, *learner, host);
    CHECK_THROWS_AS(wrong.replay(half, host), rankmix::InvalidArgument);
  }
}

// A weight of 0 could not grow any more.
TEST_CASE("weights that nearly vanish stay above 0 and grow again") {
  ThreadHost host(1);
  const std::vector<int> grades{0, 1, 1};
  const boost::Votes votes{1.0, -1.0};
  const boost::LeafIds leaf_ids(3, 0);
  for (auto precision : {boost::Precision::kSingle, boost::Precision::kDouble}) {
    boost::Weights weights(grades, {}, {}, 2, boost::WeightScheme::kUniform, precision,
                           host);
    auto first = [&] { return weights.magnitudes()[0]; };
    // The first row is classified correctly in every round.
    for (int i = 0; i < 10; ++i) {
      weights.update(leaf_ids, votes, 20.0, std::exp(20.0), host);
    }
    CHECK(first() == std::ldexp(1.0, -100));
    for (int i = 0; i < 2; ++i) {
      weights.update(leaf_ids, votes, -20.0, 1.0, host);
    }
    CHECK(std::abs(first() / std::ldexp(std::exp(40.0), -100) - 1.0) < 1e-5);
  }
}

// If the processor has no AVX2, this test compares plain code with itself.
TEST_CASE("AVX2 and plain code, and any tiles, give the same model") {
  ThreadHost host(1);
  data::BinOptions single_features;
  single_features.single_features = true;
  FewCases few;
  for (int classes : {2, 3, 5, 17}) {
    const Problem problem = simulate(3000, 21, classes, 41);
    const data::BinnedMatrix bins(problem.view(), {}, host);
    const data::BinnedMatrix singles(problem.view(), single_features, host);
    CHECK(bins.tiles().size() < problem.features);
    CHECK(singles.tiles().size() == problem.features);
    boost::TreeLearner stumps(2);
    boost::TreeLearner trees(8);
    boost::TreeLearner rated(5, true);
    boost::HammingTreeLearner hamming(5, true);
    boost::ProductLearner products(3);
    for (boost::BaseLearner* learner :
         std::vector<boost::BaseLearner*>{&stumps, &trees, &rated, &hamming, &products}) {
      if (learner == &rated && classes > 16) {
        continue;
      }
      for (auto precision : {boost::Precision::kSingle, boost::Precision::kDouble}) {
        boost::AdaBoostOptions options;
        options.precision = precision;
        auto train = [&](bool wide, const data::BinnedMatrix& on) {
          rankmix::allow_avx2(wide);
          boost::AdaBoost booster(on, problem.grades, {},
                                  static_cast<std::size_t>(classes), options, *learner,
                                  host);
          booster.run(8, 8, host);
          rankmix::allow_avx2(true);
          return booster.model();
        };
        for (const bool pulls : {false, true}) {
          if (!few.takes()) {
            continue;
          }
          if (pulls) {
            options.bandit = boost::BanditOptions();
          }
          const boost::AdaBoostModel model = train(true, bins);
          CHECK(same(model, train(false, bins)));
          CHECK(same(model, train(true, singles)));
          CHECK(same(model, train(false, singles)));
        }
      }
    }
  }
}

TEST_CASE("sums are updated if all rows change sign") {
  ThreadHost host(2);
  const Problem problem = simulate(3000, 14, 3, 5);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  std::vector<std::uint32_t> values(problem.rows * 3 + tree::kMaxLanes, 0U);
  std::vector<std::uint32_t> negated(values.size(), 0U);
  std::mt19937 random(6);
  for (std::size_t i = 0; i < problem.rows * 3; ++i) {
    values[i] = random() % 2000 - 1000U;
    negated[i] = 0U - values[i];
  }
  tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
  const tree::Sample all = boost::everything(bins);
  tree::Sums sums;
  tree::Sums expected;
  const tree::ChannelSource source = tree::unit_channels(values.data(), 3);
  const tree::ChannelSource opposite = tree::unit_channels(negated.data(), 3);
  const auto finder = boost::edge_finder(source, 3);
  tree::search(adder, source, *finder, all, host, sums);
  tree::search_flipped(adder, sums, ~0U, {{}, 0}, source, *finder, all, host, sums);
  tree::search(adder, opposite, *finder, all, host, expected);
  // The fourth lane of each sum is unused.
  bool same_sums = true;
  for (std::size_t i = 0; i < expected.histogram.size(); ++i) {
    same_sums = same_sums && (i % 4 == 3 || sums.histogram[i] == expected.histogram[i]);
  }
  CHECK(same_sums);
  CHECK(std::equal(sums.total.begin(), sums.total.begin() + 3, expected.total.begin()));
}

tree::ChannelSource channels_of(const std::vector<float>& values, double) {
  return tree::real_channels(values.data(), 3);
}
tree::ChannelSource channels_of(const std::vector<double>& values, double finer) {
  return tree::fine_channels(values.data(), 3, finer);
}

// The number of sums of the listed rows that differ from plain sums.
template <class Real>
std::size_t wrong_flipped_sums(const Problem& problem, const std::vector<Real>& values,
                               double finer, bool sampled, Host& host) {
  const data::BinnedMatrix bins(problem.view(), {}, host);
  tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
  tree::Sample sample = boost::everything(bins);
  for (std::size_t i = 0; sampled && i < problem.rows; i += 3) {
    sample.rows.push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<Real> turned_values = values;
  std::vector<std::uint32_t> listed;
  std::vector<std::int8_t> turned;
  std::mt19937 random(9);
  // The listed third of the rows keeps its sign. All other rows change sign.
  const std::size_t positions = sampled ? sample.rows.size() : problem.rows;
  for (std::size_t position = 0; position < positions; ++position) {
    const std::size_t row = sampled ? sample.rows[position] : position;
    if (random() % 3 == 0) {
      listed.push_back(static_cast<std::uint32_t>(row));
      turned.push_back(0);
    } else {
      for (std::size_t l = 0; l < 3; ++l) {
        turned_values[row * 3 + l] = -values[row * 3 + l];
      }
    }
  }
  const tree::ChannelSource source = channels_of(values, finer);
  const auto finder = boost::edge_finder(source, 3);
  tree::Sums before;
  tree::Sums after;
  tree::Sums expected;
  tree::search(adder, source, *finder, sample, host, before);
  tree::PickedRows flipped(listed, listed.size());
  flipped.negated = turned;
  const tree::Split found = tree::search_flipped(adder, before, ~0U, flipped, source,
                                                 *finder, sample, host, after);
  const tree::Split best = tree::search(adder, channels_of(turned_values, finer), *finder,
                                        sample, host, expected);
  std::size_t wrong = found.feature == best.feature && found.bin == best.bin ? 0 : 1;
  const std::size_t numbers = adder.layout().numbers();
  for (std::size_t i = 0; i < expected.histogram.size(); ++i) {
    const bool spare = i % numbers >= source.count;
    wrong += spare || after.histogram[i] == expected.histogram[i] ? 0 : 1;
  }
  for (std::size_t l = 0; l < source.count; ++l) {
    wrong += after.total[l] == expected.total[l] ? 0 : 1;
  }
  return wrong;
}

TEST_CASE("sums are updated if listed rows keep their sign, for floats and doubles") {
  ThreadHost host(2);
  const Problem problem = simulate(20000, 14, 3, 15);
  std::vector<float> singles(problem.rows * 3 + tree::kMaxLanes);
  std::mt19937 random(8);
  for (std::size_t i = 0; i < problem.rows * 3; ++i) {
    singles[i] = static_cast<float>(random() % 2001) / 1e8F - 1e-5F;
  }
  const std::vector<double> doubles(singles.begin(), singles.end());
  for (bool sampled : {false, true}) {
    CHECK(wrong_flipped_sums(problem, singles, 0.0, sampled, host) == 0);
    CHECK(wrong_flipped_sums(problem, doubles, rankmix::fine_units(problem.rows), sampled,
                             host) == 0);
  }
}

TEST_CASE("sums over many blocks equal sums over all rows") {
  ThreadHost host(2);
  const Problem problem = simulate(40000, 6, 3, 17);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  std::mt19937 random(18);
  std::vector<float> values(problem.rows * 3 + tree::kMaxLanes);
  std::vector<std::uint32_t> units(values.size());
  tree::Sample sample = boost::everything(bins);
  std::vector<std::int8_t> turned;
  for (std::size_t i = 0; i < problem.rows; ++i) {
    const bool seen = random() % 4 > 0;
    const bool turn = random() % 2 > 0;
    if (seen) {
      sample.rows.push_back(static_cast<std::uint32_t>(i));
      turned.push_back(static_cast<std::int8_t>(turn ? -1 : 0));
    }
    for (std::size_t l = 0; l < 3; ++l) {
      values[i * 3 + l] = static_cast<float>(random() % 2001) / 1e10F - 1e-7F;
      const std::uint32_t unit = rankmix::to_units(values[i * 3 + l]);
      units[i * 3 + l] = !seen ? 0U : turn ? 0U - unit : unit;
    }
  }
  tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
  const tree::ChannelSource source = tree::real_channels(std::as_const(values).data(), 3);
  const auto finder = boost::edge_finder(source, 3);
  tree::Sums sums;
  tree::Sums expected;
  const tree::Split found =
      tree::search(adder, source, *finder, sample, host, sums, turned);
  // Channels in units are read in place, for any number of channels.
  const tree::Split best = tree::search(adder, tree::unit_channels(units.data(), 3),
                                        *finder, boost::everything(bins), host, expected);
  CHECK((found.feature == best.feature && found.bin == best.bin));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.histogram.size(); ++i) {
    wrong += i % 4 == 3 || sums.histogram[i] == expected.histogram[i] ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(std::equal(sums.total.begin(), sums.total.begin() + 3, expected.total.begin()));
}

TEST_CASE("grades other than those of a fit are refused") {
  ThreadHost host(1);
  const Problem problem = simulate(200, 6, 4, 16);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  TrainOptions options;
  const boost::AdaBoostModel model = train_on(bins, problem.grades, 4, options, host);
  CHECK_THROWS_AS(train_on(bins, problem.grades, 3, options, host),
                  rankmix::InvalidArgument);
  // A model of other grades has votes of another size.
  std::vector<int> binary;
  for (int grade : problem.grades) {
    binary.push_back(grade > 0 ? 1 : 0);
  }
  boost::TreeLearner learner(2);
  boost::AdaBoost booster(bins, binary, {}, 2, options, learner, host);
  CHECK_THROWS_AS(booster.replay(model, host), rankmix::InvalidArgument);
}

TEST_CASE("the sums of all rows follow from the last tree") {
  ThreadHost host(3);
  const Problem problem = simulate(3000, 14, 5, 7);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  std::vector<double> residuals;
  for (int grade : problem.grades) {
    residuals.push_back(grade - 1.5);
  }
  boost::WholeResiduals whole(residuals, {}, host);
  tree::Grower grower(bins);
  tree::RowAdder other(bins, tree::RowAdder::kGatheredBytes);
  const tree::Sample all = boost::everything(bins);
  for (std::size_t leaves : {2, 5, 9, 9, 6}) {
    CHECK(whole.prepare(host));
    tree::GrownTree tree = grower.grow_on_sums(
        whole.channels(), *whole.finder(5), {leaves, 3}, all, host, *whole.known_sums());
    const tree::LeafIds& leaf_ids = tree::find_leaf_ids(tree, all, grower, host);
    whole.apply_tree(tree, all, leaf_ids, 0.3, grower, host);
    tree::Sums sums;
    tree::search(other, whole.channels(), *whole.finder(5), all, host, sums);
    CHECK(sums.histogram == whole.known_sums()->histogram);
    CHECK(sums.total == whole.known_sums()->total);
  }
}

TEST_CASE("rows outside the sample reach the leaves of a walk through the tree") {
  ThreadHost host(2);
  const Problem problem = simulate(20000, 14, 5, 8);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  boost::WholeResiduals whole({problem.grades.begin(), problem.grades.end()}, {}, host);
  tree::Grower grower(bins);
  tree::Sample some = boost::everything(bins);
  for (std::uint32_t row = 0; row < problem.rows; row += 1 + row % 3) {
    some.rows.push_back(row);
  }
  for (const std::size_t leaves : {2, 3, 40}) {
    CHECK(whole.prepare(host));
    const tree::GrownTree tree =
        grower.grow(whole.channels(), *whole.finder(5), {leaves, 12}, some, host);
    const tree::LeafIds& leaf_ids = tree::find_leaf_ids(tree, some, grower, host);
    const tree::BinTree leaf_of(tree.nodes, bins);
    CHECK(tree.leaves.size() == leaves);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < problem.rows; ++i) {
      wrong += leaf_ids[i] == leaf_of(i) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

static void check_bits_of_gbrt(boost::GbrtOptions options) {
  const Problem problem = simulate(20000, 13, 5, 51);
  std::vector<double> targets(problem.grades.begin(), problem.grades.end());
  std::vector<double> weights;
  for (std::size_t i = 0; i < problem.rows; ++i) {
    weights.push_back(1.0 + static_cast<double>(i % 3));
  }
  auto train = [&](const Problem& on, const std::vector<double>& y,
                   const std::vector<double>& w, unsigned threads) {
    ThreadHost host(threads);
    const data::BinnedMatrix bins(on.view(), {}, host);
    boost::Gbrt gbrt(bins, y, w, options, host);
    gbrt.run(12, 12, host);
    return gbrt.model();
  };
  auto same_model = [](const boost::GbrtModel& a, const boost::GbrtModel& b) {
    return a.start == b.start && a.forest.threshold == b.forest.threshold &&
           a.forest.values == b.forest.values && a.forest.gains == b.forest.gains;
  };
  const boost::GbrtModel one = train(problem, targets, weights, 1);
  CHECK(one.forest.round_begin.size() == 13);
  CHECK(same_model(one, train(problem, targets, weights, 4)));
  rankmix::allow_avx2(false);
  CHECK(same_model(one, train(problem, targets, weights, 2)));
  const boost::GbrtModel plain = train(problem, targets, {}, 2);  // one number per row
  rankmix::allow_avx2(true);
  CHECK(same_model(plain, train(problem, targets, {}, 2)));
  Problem turned = problem;
  for (std::size_t f = 0; f < problem.features; ++f) {
    const auto first = turned.x.begin() + static_cast<std::ptrdiff_t>(f * problem.rows);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(problem.rows));
  }
  std::reverse(targets.begin(), targets.end());
  std::reverse(weights.begin(), weights.end());
  CHECK(same_model(one, train(turned, targets, weights, 2)));
  options.limits = {1, 11};
  CHECK_THROWS_AS(train(problem, targets, weights, 1), rankmix::InvalidArgument);
}

TEST_CASE("gbrt has the same bits on any number of threads, for any order of rows") {
  boost::GbrtOptions options;
  options.limits = {9, 4};
  check_bits_of_gbrt(options);
  options.oblivious = true;
  check_bits_of_gbrt(options);
  options.groups = {{0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9, 10, 11, 12}};
  for (int f = 0; f < 13; ++f) {
    options.costs.costs.push_back(0.002 * (f % 4));
    options.costs.items.push_back(f);
  }
  check_bits_of_gbrt(options);
}

TEST_CASE("oblivious trees with costs and groups of features use fewer features") {
  const Problem problem = simulate(2000, 8, 3, 52);
  // The effect of a feature is half of the effect of the feature before it.
  std::vector<double> targets(problem.rows, 0.0);
  for (std::size_t f = 0; f < 8; ++f) {
    for (std::size_t i = 0; i < problem.rows; ++i) {
      targets[i] += problem.x[f * problem.rows + i] > 0.0
                        ? std::ldexp(1.0, -static_cast<int>(f))
                        : 0.0;
    }
  }
  ThreadHost host(2);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  boost::GbrtOptions options;
  options.oblivious = true;
  options.limits.depth = 4;
  auto features_of_trees = [&] {
    boost::Gbrt gbrt(bins, targets, {}, options, host);
    gbrt.run(10, 10, host);
    const tree::Forest& forest = gbrt.model().forest;
    std::vector<std::set<int>> found;
    for (std::size_t t = 0; t + 1 < forest.node_begin.size(); ++t) {
      found.emplace_back(forest.feature.begin() + forest.node_begin[t],
                         forest.feature.begin() + forest.node_begin[t + 1]);
    }
    return found;
  };
  auto count = [](const std::vector<std::set<int>>& found) {
    std::set<int> all;
    for (const std::set<int>& of_tree : found) {
      all.insert(of_tree.begin(), of_tree.end());
    }
    return all.size();
  };
  const std::size_t free = count(features_of_trees());
  options.costs.costs.assign(8, 0.05);
  options.costs.items = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::size_t costly = count(features_of_trees());
  CHECK(costly >= 1);
  CHECK(costly < free);
  options.costs.costs.assign(8, 1.0);
  CHECK(count(features_of_trees()) == 0);
  options.costs = {};
  options.groups = {{0, 1}, {2, 3}, {3, 4, 5, 6, 7}};
  std::size_t large = 0;
  for (const std::set<int>& of_tree : features_of_trees()) {
    const auto in = [&](const std::vector<int>& group) {
      return std::includes(group.begin(), group.end(), of_tree.begin(), of_tree.end());
    };
    CHECK(std::any_of(options.groups.begin(), options.groups.end(), in));
    large += of_tree.size() > 1 ? 1 : 0;
  }
  CHECK(large > 0);
}

// Sums of the values of the leaves that find_leaf() returns.
static std::vector<double> walked(const boost::AdaBoostModel& model,
                                  const Problem& problem) {
  const tree::ForestView forest = view_of(model.forest);
  std::vector<double> sums(problem.rows * forest.outputs, 0.0);
  std::vector<double> row(problem.features);
  for (std::size_t i = 0; i < problem.rows; ++i) {
    for (std::size_t f = 0; f < problem.features; ++f) {
      row[f] = problem.x[f * problem.rows + i];
    }
    for (std::size_t r = 0; r < forest.rounds(); ++r) {
      std::vector<double> votes(forest.outputs, 1.0);
      for (int t = forest.round_begin[r]; t < forest.round_begin[r + 1]; ++t) {
        const auto at = static_cast<std::size_t>(t);
        const int leaf = tree::find_leaf(forest, forest.feature.data(), at, row.data());
        for (std::size_t l = 0; l < forest.outputs; ++l) {
          votes[l] *=
              forest.values[static_cast<std::size_t>(forest.leaf_begin[at] + leaf) *
                                forest.outputs +
                            l];
        }
      }
      for (std::size_t l = 0; l < forest.outputs; ++l) {
        sums[l * problem.rows + i] += model.alpha[r] * votes[l];
      }
    }
  }
  return sums;
}

TEST_CASE("predictions equal walks through the trees") {
  // The number of rows is not a multiple of the block size, and some values do not
  // occur in the training data.
  const Problem problem = simulate(3000, 7, 3, 31);
  Problem fresh = simulate(333, 7, 3, 32);
  fresh.x[5] = 1e300;
  fresh.x[400] = -1e300;
  ThreadHost host(2);
  const data::BinnedMatrix bins(problem.view(), {}, host);
  boost::TreeLearner small(9);
  boost::TreeLearner large(300);
  boost::ProductLearner products(4);
  for (boost::BaseLearner* learner :
       std::vector<boost::BaseLearner*>{&small, &large, &products}) {
    for (std::size_t rounds : {0U, 1U, 40U}) {
      boost::AdaBoost booster(bins, problem.grades, {}, 3, {}, *learner, host);
      booster.run(rounds, rounds, host);
      const std::vector<int> stages{static_cast<int>(rounds)};
      std::vector<double> out(fresh.rows * 3);
      tree::predict_staged(view_of(booster.model().forest), booster.model().alpha,
                           fresh.view(), stages, host, out.data());
      CHECK(out == walked(booster.model(), fresh));
    }
  }
}

// The cases include the largest possible sums and sides without rows.
TEST_CASE("wide sums have the score of least squares on every processor") {
  constexpr std::int64_t most = (std::int64_t{1} << 39) - 1;
  constexpr std::int64_t many = (std::int64_t{1} << 24) - 1;
  std::mt19937_64 random(9);
  draw::Whole<std::int64_t> residuals(-most / 2, most / 2);
  draw::Whole<std::int64_t> counts(0, many);
  auto join = [](std::int64_t residual, std::int64_t count) {
    return boost::wide_of(residual, static_cast<std::uint64_t>(count));
  };
  for (const std::int64_t all : {many, std::int64_t{1000}, std::int64_t{3}}) {
    const std::int64_t total = residuals(random);
    std::uint32_t total_slot[2];
    tree::write_wide(join(total, all), total_slot);
    const double least = 2.0;
    std::vector<std::int64_t> g{0, most, -most - 1, -1, total, 1, 0, 5};
    std::vector<std::int64_t> w{0, 1, 2, all - 2, all, all - 1, 1, 2};
    for (int i = 0; i < 64; ++i) {
      g.push_back(residuals(random));
      w.push_back(counts(random) % (all + 1));
    }
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i < g.size(); ++i) {
      left.push_back(join(g[i], w[i]));
    }
    for (const bool wide : {true, false}) {
      rankmix::allow_avx2(wide);
      std::vector<double> scores(left.size());
      boost::VarianceScore(0.0, least)
          .split_scores_wide(left.data(), left.size(), total_slot, scores.data());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const auto a = static_cast<double>(g[i]);
        const auto b = static_cast<double>(total) - a;
        const auto n = static_cast<double>(w[i]);
        const auto m = static_cast<double>(all) - n;
        const double expected = n < least || m < least
                                    ? -std::numeric_limits<double>::infinity()
                                    : (a * a * m + b * b * n) / (n * m);
        wrong += scores[i] == expected ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
    rankmix::allow_avx2(true);
  }
}
