// Tests of AdaRank and RankBoost. Compares updated rankings with new sorts, and
// potentials of documents with weights of all pairs. Compares the best threshold with a
// search of all thresholds. Also tests threads and interrupts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/boost/adarank.h"
#include "core/boost/pair_weights.h"
#include "core/boost/query_orders.h"
#include "core/boost/rankboost.h"
#include "core/metric/factory.h"
#include "core/tree/slots.h"
#include "draw.h"
#include "few_cases.h"
#include "thread_host.h"

namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace metric = rankmix::metric;
using rankmix::MatrixView;

namespace {

constexpr double kAlike = 1e-12;

// Queries of random lengths, with features. Some features have few values or missing
// values.
struct Case {
  std::size_t rows = 0;
  std::size_t features = 3;
  std::vector<int> grades, positions, order, offsets{0};
  std::vector<double> weights, x;

  data::Queries queries() const { return {order, offsets}; }
  MatrixView<const double> matrix() const { return {x.data(), rows, features}; }
};

Case random_case(std::mt19937_64& random, std::size_t queries, std::size_t longest,
                 bool gaps) {
  Case made;
  for (std::size_t q = 0; q < queries; ++q) {
    made.weights.push_back(
        q > 1 && random() % 5 == 0 ? 0.0 : 0.5 * static_cast<double>(1 + random() % 3));
    for (std::size_t i = 1 + random() % longest; i > 0; --i) {
      made.grades.push_back(static_cast<int>(random() % 4));
      made.positions.push_back(static_cast<int>(made.rows));
      made.order.push_back(static_cast<int>(made.rows++));
    }
    made.offsets.push_back(static_cast<int>(made.rows));
  }
  draw::shuffle(made.positions.begin(), made.positions.end(), random);
  draw::Normal<double> normal;
  for (std::size_t f = 0; f < made.features; ++f) {
    for (std::size_t i = 0; i < made.rows; ++i) {
      const double value = normal(random) + 0.3 * made.grades[i];
      made.x.push_back(f == 1 ? std::round(value) : value);
      if (gaps && f == 2 && random() % 6 == 0) {
        made.x.back() = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
  return made;
}

metric::MetricSpec spec_of(const std::string& name, metric::Ties ties, std::size_t k) {
  metric::MetricSpec spec;
  spec.name = name;
  spec.options.k = k;
  spec.options.rule = {ties, k == 3};
  spec.gain = {0, 1, 3, 7};
  spec.discount = "log2";
  spec.relevant = 2;
  spec.max_grade = 3;
  spec.denominator = "relevant";
  spec.persistence = 0.8;
  spec.beta = 1.0;
  return spec;
}

const std::vector<std::string> kNames = {
    "ndcg", "mean_ndcg", "average_precision", "err",       "reciprocal_rank", "precision",
    "rbp",  "bpref",     "r_precision",       "f_measure", "success",         "recall"};

// The weights D of all pairs by their definition, without scaling.
struct Pair {
  std::size_t better;
  std::size_t worse;
  double weight;
};
std::vector<Pair> all_pairs(const Case& made, bool by_query) {
  std::vector<Pair> pairs;
  for (std::size_t q = 0; q + 1 < made.offsets.size(); ++q) {
    const std::size_t first = pairs.size();
    for (int i = made.offsets[q]; i < made.offsets[q + 1]; ++i) {
      for (int j = made.offsets[q]; j < made.offsets[q + 1]; ++j) {
        const auto a = static_cast<std::size_t>(i);
        const auto b = static_cast<std::size_t>(j);
        if (made.grades[a] > made.grades[b] && made.weights[q] > 0.0) {
          pairs.push_back({a, b, made.weights[q]});
        }
      }
    }
    for (std::size_t p = first; by_query && p < pairs.size(); ++p) {
      pairs[p].weight /= static_cast<double>(pairs.size() - first);
    }
  }
  return pairs;
}

double sum_of(const std::vector<Pair>& pairs) {
  double sum = 0.0;
  for (const Pair& pair : pairs) {
    sum += pair.weight;
  }
  return sum;
}

bool close(double a, double b) { return std::abs(a - b) <= kAlike * (1.0 + std::abs(b)); }

}  // namespace

TEST_CASE("updated rankings have the metrics of new sorts") {
  std::mt19937_64 random(1);
  ThreadHost host(2);
  FewCases few;
  for (const std::string& name : kNames) {
    for (metric::Ties ties :
         {metric::Ties::kOrder, metric::Ties::kAverage, metric::Ties::kTogether,
          metric::Ties::kBest, metric::Ties::kWorst, metric::Ties::kDocument}) {
      for (std::size_t k : {std::size_t{3}, metric::kWholeList}) {
        if (!few.takes() || (ties == metric::Ties::kTogether && k == 3)) {
          continue;
        }
        const Case made = random_case(random, 40, 60, false);
        const auto of = metric::make_metric(spec_of(name, ties, k), 60);
        const metric::Judged judged{
            *of, {made.grades, made.positions}, made.queries(), made.weights};
        std::vector<std::size_t> queries;
        for (std::size_t q = 0; q < made.queries().count(); q += 2) {
          queries.push_back(q);
        }
        boost::QueryOrders orders(judged, queries);
        metric::QueryMeter meter(judged);
        std::vector<double> scores(made.rows, 0.0);
        std::vector<double> values;
        bool good = true;
        for (int round = 0; round < 12; ++round) {
          const std::size_t f = random() % made.features;
          const double factor = std::exp2(-(round / 2));
          const double* column = made.matrix().col(f);
          for (std::size_t i = 0; i < made.rows; ++i) {
            scores[i] += factor * column[i];
          }
          orders.add(factor, column, host, values);
          std::vector<double> serial;
          orders.measure(-1.0, column, host, serial);
          std::vector<double> negative(column, column + made.rows);
          for (double& value : negative) {
            value = -value;
          }
          for (std::size_t q = 0; q < queries.size(); ++q) {
            good = good && close(values[q], meter.value(queries[q], scores.data())) &&
                   close(serial[q], meter.value(queries[q], negative.data()));
          }
        }
        CHECK(good);
      }
    }
  }
}

TEST_CASE("follows() detects columns whose multiples change no order") {
  std::mt19937_64 random(2);
  ThreadHost host(2);
  const Case made = random_case(random, 300, 20, false);
  const auto of = metric::make_metric(spec_of("ndcg", metric::Ties::kAverage, 10), 20);
  const metric::Judged judged{
      *of, {made.grades, made.positions}, made.queries(), made.weights};
  std::vector<std::size_t> queries(made.queries().count());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    queries[q] = q;
  }
  boost::QueryOrders orders(judged, queries);
  std::vector<double> values;
  // The column with few values leaves ties, which the other column breaks.
  const double* few = made.matrix().col(1);
  const double* many = made.matrix().col(0);
  CHECK(!orders.follows(1.0, few, host));
  orders.add(1.0, few, host, values);
  CHECK(orders.follows(1.0, few, host));
  CHECK(!orders.follows(-1.0, few, host));
  CHECK(!orders.follows(1.0, many, host));
  orders.add(1e-9, many, host, values);
  CHECK(orders.follows(1.0, few, host));
  orders.add(10.0, many, host, values);
  CHECK(!orders.follows(1.0, few, host));
}

TEST_CASE("potentials, edges and sides equal sums over all pairs") {
  std::mt19937_64 random(3);
  ThreadHost host(2);
  for (bool by_query : {false, true}) {
    const Case made = random_case(random, 60, 25, false);
    boost::PairWeights weights(
        made.queries(), made.grades, made.weights,
        by_query ? boost::PairScheme::kQuery : boost::PairScheme::kPlain, host);
    std::vector<Pair> pairs = all_pairs(made, by_query);
    double before = sum_of(pairs);
    CHECK(close(weights.sum(), 1.0));
    for (int round = 0; round < 30; ++round) {
      const double now = sum_of(pairs);
      CHECK(close(weights.sum(), now / before));
      std::vector<double> potentials(made.rows, 0.0);
      for (const Pair& pair : pairs) {
        potentials[pair.better] += pair.weight / before;
        potentials[pair.worse] -= pair.weight / before;
      }
      bool good = true;
      for (std::size_t i = 0; i < made.rows; ++i) {
        const auto units = static_cast<std::int64_t>(
            rankmix::tree::read_wide(weights.potentials().data() + 2 * i));
        good = good && std::abs(std::ldexp(static_cast<double>(units), -61) -
                                potentials[i]) < kAlike;
      }
      CHECK(good);
      boost::Heights heights(made.rows);
      for (auto& height : heights) {
        height = static_cast<std::uint8_t>(random() % 3);
      }
      double right = 0.0;
      double wrong = 0.0;
      for (const Pair& pair : pairs) {
        const int difference = heights[pair.better] - heights[pair.worse];
        (difference > 0 ? right : wrong) +=
            0.5 * std::abs(difference) * pair.weight / now;
      }
      const boost::PairWeights::Sides sides = weights.sides(heights, host);
      CHECK(close(sides.right, right));
      CHECK(close(sides.wrong, wrong));
      CHECK(close(weights.edge(heights, host), right - wrong));
      // alpha is chosen as in RankBoost, so that the sum does not grow. Some values are
      // large.
      const double edge = std::min(std::max(right - wrong, -0.9), 0.9);
      const double alpha = 0.5 * std::log((1.0 + edge) / (1.0 - edge));
      for (Pair& pair : pairs) {
        pair.weight *=
            std::exp(0.5 * alpha * (heights[pair.worse] - heights[pair.better]));
      }
      weights.update(heights, alpha, host);
      before = now;
    }
  }
}

namespace {

boost::RankBoostModel boosted(const Case& made, bool all_values, bool halves,
                              rankmix::Host& host, std::size_t rounds = 40) {
  const data::BinnedMatrix bins(made.matrix(), {20, false}, host);
  const data::DenseColumns columns(made.matrix());
  const rankmix::tree::Counted counted =
      boost::counted_by_queries(made.queries(), made.weights, {});
  boost::RankBoost booster(all_values
                               ? boost::search_values(columns, halves, counted, host)
                               : boost::search_bins(bins, halves),
                           made.queries(), made.grades, made.weights,
                           {boost::PairScheme::kPlain, !halves}, host);
  booster.run(rounds / 2, rounds, host);
  const boost::RankBoostModel half = booster.model();
  booster.run(rounds - rounds / 2, rounds, host);
  // A resumed fit has the same result.
  boost::RankBoost again(all_values ? boost::search_values(columns, halves, counted, host)
                                    : boost::search_bins(bins, halves),
                         made.queries(), made.grades, made.weights,
                         {boost::PairScheme::kPlain, !halves}, host);
  again.replay(half, host);
  again.run(rounds - rounds / 2, rounds, host);
  CHECK(again.model().alpha == booster.model().alpha);
  CHECK(again.model().forest.threshold == booster.model().forest.threshold);
  CHECK(again.model().forest.missing_left == booster.model().forest.missing_left);
  // A model with other weights is refused.
  boost::RankBoostModel other = half;
  other.alpha[1] += 1e-9;
  boost::RankBoost third(all_values ? boost::search_values(columns, halves, counted, host)
                                    : boost::search_bins(bins, halves),
                         made.queries(), made.grades, made.weights,
                         {boost::PairScheme::kPlain, !halves}, host);
  CHECK_THROWS_AS(third.replay(other, host), rankmix::InvalidArgument);
  return booster.model();
}

boost::AdaRankModel ranked(const Case& made, rankmix::Host& host) {
  const auto of = metric::make_metric(spec_of("ndcg", metric::Ties::kAverage, 10), 60);
  const metric::Judged judged{
      *of, {made.grades, made.positions}, made.queries(), made.weights};
  const data::DenseColumns columns(made.matrix());
  boost::AdaRankOptions options;
  options.negatives = true;
  options.repeats = 2;
  boost::AdaRank booster(columns, judged, options, host);
  booster.run(30, 30, host);
  boost::AdaRank again(columns, judged, options, host);
  boost::AdaRankModel half = booster.model();
  half.alpha.resize(15);
  again.replay(half, host);
  again.run(15, 30, host);
  CHECK(again.model().alpha == booster.model().alpha);
  CHECK(again.digest() == booster.digest());
  half.alpha[3] += 1e-9;
  boost::AdaRank third(columns, judged, options, host);
  CHECK_THROWS_AS(third.replay(half, host), rankmix::InvalidArgument);
  return booster.model();
}

}  // namespace

TEST_CASE("rank boosters have the same bits on any number of threads") {
  std::mt19937_64 random(4);
  const Case made = random_case(random, 400, 60, true);
  Case whole = made;
  for (double& value : whole.x) {
    value = std::isnan(value) ? 0.0 : value;
  }
  ThreadHost one(1);
  for (unsigned threads : {2U, 4U}) {
    ThreadHost host(threads);
    for (bool halves : {false, true}) {
      for (bool all_values : {false, true}) {
        const auto a = boosted(made, all_values, halves, one);
        const auto b = boosted(made, all_values, halves, host);
        CHECK((a.alpha == b.alpha && a.z == b.z));
        CHECK(a.forest.threshold == b.forest.threshold);
      }
    }
    CHECK(ranked(whole, one).alpha == ranked(whole, host).alpha);
  }
}

TEST_CASE("rank boosters end with an interrupt") {
  std::mt19937_64 random(5);
  const Case made = random_case(random, 30, 20, false);
  ThreadHost host(2);
  const data::BinnedMatrix bins(made.matrix(), {20, false}, host);
  boost::RankBoost booster(boost::search_bins(bins, false), made.queries(), made.grades,
                           made.weights, {}, host);
  host.interrupt_after(7);
  CHECK_THROWS_AS(booster.run(20, 20, host), rankmix::Interrupted);
  CHECK(booster.model().alpha.size() == 7);
  const auto of = metric::make_metric(spec_of("ndcg", metric::Ties::kAverage, 10), 60);
  const metric::Judged judged{
      *of, {made.grades, made.positions}, made.queries(), made.weights};
  const data::DenseColumns columns(made.matrix());
  host.interrupt_after(1);
  CHECK_THROWS_AS(boost::AdaRank(columns, judged, {}, host), rankmix::Interrupted);
}
