// A document with a count has the same effect as this number of copies, bit for bit: in
// thresholds of bins, in least squares and in AdaBoost.MH.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "boost_case.h"
#include "core/data/bins.h"
#include "draw.h"
#include "gbrt_models.h"
#include "thread_host.h"

namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

// Documents with counts, many of which are 0. Also the same documents without counts,
// each repeated as often as its count.
struct Documents {
  std::size_t features = 4;
  std::vector<double> x;  // row-major
  std::vector<int> grades;
  std::vector<int> counts;

  std::size_t rows() const { return grades.size(); }
  void add(const double* row, int grade, int count) {
    x.insert(x.end(), row, row + features);
    grades.push_back(grade);
    counts.push_back(count);
  }
  std::vector<double> columns() const {
    std::vector<double> all(x.size());
    for (std::size_t i = 0; i < rows(); ++i) {
      for (std::size_t f = 0; f < features; ++f) {
        all[f * rows() + i] = x[i * features + f];
      }
    }
    return all;
  }
  std::vector<double> weights() const { return {counts.begin(), counts.end()}; }
};

// The first feature has a different value for each document. The second feature is
// sparse, and the third has few values. A fifth of the values of the last feature is
// missing.
Documents draw_documents(std::size_t rows, unsigned seed, int most = 3) {
  Documents made;
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (std::size_t i = 0; i < rows; ++i) {
    const double row[] = {normal(random), random() % 3 == 0 ? normal(random) : 0.0,
                          std::round(normal(random)),
                          random() % 5 == 0 ? std::nan("") : normal(random)};
    const double grade = std::round(row[0] + row[1] + normal(random));
    made.add(row, static_cast<int>(std::min(3.0, std::max(0.0, grade))),
             static_cast<int>(random() % static_cast<unsigned>(most + 1)));
  }
  return made;
}

Documents copies_of(const Documents& counted) {
  Documents made;
  for (std::size_t i = 0; i < counted.rows(); ++i) {
    for (int copy = 0; copy < counted.counts[i]; ++copy) {
      made.add(counted.x.data() + i * counted.features, counted.grades[i], 1);
    }
  }
  return made;
}

struct Binned {
  std::vector<double> columns;
  std::vector<double> weights;
  data::BinnedMatrix bins;

  Binned(const Documents& of, std::vector<double> row_weights, int max_bins,
         rankmix::Host& host)
      : columns(of.columns()),
        weights(std::move(row_weights)),
        bins(rankmix::MatrixView<const double>(columns.data(), of.rows(), of.features),
             data::BinOptions{max_bins, false, weights}, host) {}
};

bool same_thresholds(const data::BinnedMatrix& a, const data::BinnedMatrix& b) {
  bool same = a.features() == b.features();
  for (std::size_t f = 0; same && f < a.features(); ++f) {
    same = a.feature(f).thresholds == b.feature(f).thresholds &&
           a.feature(f).zero_bin == b.feature(f).zero_bin;
  }
  return same;
}

// The entries of a sparse matrix, without zeros.
struct Sparse {
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts{0};
  std::size_t rows;

  explicit Sparse(const Documents& of) : rows(of.rows()) {
    const std::vector<double> columns = of.columns();
    for (std::size_t f = 0; f < of.features; ++f) {
      for (std::size_t i = 0; i < rows; ++i) {
        const double value = columns[f * rows + i];
        if (value != 0.0) {
          values.push_back(value);
          row_of.push_back(static_cast<int>(i));
        }
      }
      starts.push_back(static_cast<int>(values.size()));
    }
  }
  rankmix::SparseView view() const { return {values, row_of, starts, rows}; }
};

}  // namespace

TEST_CASE("thresholds with counts as weights equal thresholds of copies") {
  ThreadHost host(3);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Documents counted = draw_documents(300 + 20 * seed, seed);
    const Documents copies = copies_of(counted);
    for (int max_bins : {2, 10, 100, 255}) {
      const Binned weighted(counted, counted.weights(), max_bins, host);
      const Binned apart(copies, {}, max_bins, host);
      CHECK(same_thresholds(weighted.bins, apart.bins));
      // The weights change the thresholds.
      const Binned plain(counted, {}, max_bins, host);
      CHECK(!same_thresholds(weighted.bins, plain.bins));
      const Sparse sparse(counted);
      const data::BinnedMatrix of_sparse(
          sparse.view(), data::BinOptions{max_bins, false, weighted.weights}, host);
      CHECK(same_thresholds(of_sparse, weighted.bins));
    }
  }
}

TEST_CASE("thresholds with weights are invariant to row order") {
  ThreadHost host(3);
  const Documents drawn = draw_documents(2000, 31);
  std::mt19937_64 random(32);
  draw::Uniform<double> uniform;
  std::vector<double> weights;
  for (std::size_t i = 0; i < drawn.rows(); ++i) {
    weights.push_back(uniform(random));
  }
  const Binned one(drawn, weights, 100, host);
  Documents turned;
  std::vector<double> back;
  for (std::size_t i = drawn.rows(); i-- > 0;) {
    turned.add(drawn.x.data() + i * drawn.features, drawn.grades[i], 1);
    back.push_back(weights[i]);
  }
  CHECK(same_thresholds(one.bins, Binned(turned, back, 100, host).bins));
  for (double& w : weights) {
    w *= 0.25;
  }
  CHECK(same_thresholds(one.bins, Binned(drawn, weights, 100, host).bins));
  CHECK(!same_thresholds(one.bins, Binned(drawn, {}, 100, host).bins));
  // If all values differ, a quarter of the weight gets a quarter of the bins.
  for (std::size_t i = 0; i < drawn.rows(); ++i) {
    weights[i] = drawn.x[i * drawn.features] < 0.0 ? 0.1 : 0.3;
  }
  const Binned shifted(drawn, weights, 100, host);
  const std::vector<double>& thresholds = shifted.bins.feature(0).thresholds;
  const auto below = std::count_if(thresholds.begin(), thresholds.end(),
                                   [](double t) { return t < 0.0; });
  CHECK((below >= 23 && below <= 27));
}

TEST_CASE("equal weights change no threshold") {
  ThreadHost host(2);
  const Documents drawn = draw_documents(1000, 41);
  const Binned plain(drawn, {}, 255, host);
  for (double weight : {1.0, 2.0, 0.1}) {
    const std::vector<double> weights(drawn.rows(), weight);
    CHECK(same_thresholds(plain.bins, Binned(drawn, weights, 255, host).bins));
  }
}

TEST_CASE("the number of weights must equal the number of rows") {
  ThreadHost host(1);
  const Documents drawn = draw_documents(10, 51);
  CHECK_THROWS_AS(Binned(drawn, {1.0, 2.0}, 255, host), rankmix::InvalidArgument);
}

TEST_CASE("least squares with counts equals least squares of copies, bit for bit") {
  ThreadHost host(3);
  for (unsigned seed = 61; seed <= 66; ++seed) {
    const Documents counted = draw_documents(700, seed);
    const Documents copies = copies_of(counted);
    for (int way = 0; way < 8; ++way) {
      boost::GbrtOptions options;
      options.precision =
          way % 2 == 0 ? boost::Precision::kSingle : boost::Precision::kDouble;
      options.min_documents = way % 4 < 2 ? 1.0 : 20.0;
      options.limits.leaves = 12;
      options.dropout = way == 5 ? 0.3 : 0.0;
      options.oblivious = way >= 6;
      options.limits.depth = options.oblivious ? 4 : options.limits.depth;
      auto train = [&](const Documents& of, bool with_counts) {
        const Binned binned(of, with_counts ? of.weights() : std::vector<double>(), 100,
                            host);
        const std::vector<double> targets(of.grades.begin(), of.grades.end());
        options.counts = with_counts ? of.counts : std::vector<int>();
        boost::Gbrt gbrt(binned.bins, targets, binned.weights, options, host);
        gbrt.run(8, 8, host);
        return gbrt.model();
      };
      const boost::GbrtModel one = train(counted, true);
      const boost::GbrtModel other = train(copies, false);
      CHECK(one.forest.values == other.forest.values);
      CHECK(one.forest.threshold == other.forest.threshold);
      CHECK(one.forest.leaf_documents == other.forest.leaf_documents);
      CHECK(one.start == other.start);
      CHECK(one.forest.gains == other.forest.gains);
    }
  }
}

TEST_CASE(
    "leaf sizes use counts, or count each document once if weights are not counts") {
  ThreadHost host(2);
  const Documents counted = draw_documents(400, 71);
  const std::vector<double> targets(counted.grades.begin(), counted.grades.end());
  const Binned binned(counted, counted.weights(), 255, host);
  auto fewest = [&](const std::vector<int>& counts, const std::vector<double>& weights) {
    boost::GbrtOptions options;
    options.min_documents = 30.0;
    options.counts = counts;
    boost::Gbrt gbrt(binned.bins, targets, weights, options, host);
    gbrt.run(1, 1, host);
    const std::vector<int>& documents = gbrt.model().forest.leaf_documents;
    return *std::min_element(documents.begin(), documents.end());
  };
  std::vector<double> halves = counted.weights();
  for (double& w : halves) {
    w /= 2.0;
  }
  // Counts with other weights, as for a part of a composite ranker.
  for (const std::vector<double>& weights : {counted.weights(), halves}) {
    const int least = fewest(counted.counts, weights);
    CHECK((least >= 30 && least < 60));
  }
  CHECK(fewest({}, halves) >= 30);
  const tree::Counted once = tree::counted_documents(halves);
  CHECK(*std::max_element(once.begin(), once.end()) == 1);
}

TEST_CASE("AdaBoost.MH with counts equals AdaBoost.MH of copies, bit for bit") {
  ThreadHost host(3);
  for (unsigned seed = 81; seed <= 84; ++seed) {
    const Documents counted = draw_documents(600, seed);
    const Documents copies = copies_of(counted);
    for (const boost::Precision precision :
         {boost::Precision::kSingle, boost::Precision::kDouble}) {
      for (const bool rated : {false, true}) {
        auto train = [&](const Documents& of, bool with_counts) {
          const Binned binned(of, with_counts ? of.weights() : std::vector<double>(), 100,
                              host);
          boost::AdaBoostOptions options;
          options.precision = precision;
          options.counts = with_counts ? of.counts : std::vector<int>();
          boost::TreeLearner learner(6, rated);
          boost::AdaBoost booster(binned.bins, of.grades, binned.weights, 4, options,
                                  learner, host);
          booster.run(12, 12, host);
          return booster.model();
        };
        const boost::AdaBoostModel one = train(counted, true);
        const boost::AdaBoostModel other = train(copies, false);
        CHECK(one.alpha == other.alpha);
        CHECK(one.edge == other.edge);
        CHECK(one.forest.threshold == other.forest.threshold);
        CHECK(one.forest.values == other.forest.values);
        CHECK(one.forest.leaf_documents == other.forest.leaf_documents);
      }
    }
  }
}

TEST_CASE("counts with sums that are not exact are treated as weights") {
  ThreadHost host(1);
  const std::vector<int> counts{1, (1 << 24) - 2};
  CHECK(tree::weights_are_counts(std::vector<double>{1.0, 16777214.0}, counts, host));
  const std::vector<int> more{2, (1 << 24) - 2};
  CHECK(!tree::weights_are_counts(std::vector<double>{2.0, 16777214.0}, more, host));
  CHECK(!tree::weights_are_counts(std::vector<double>{0.5, 1.0}, {}, host));
  CHECK(!tree::weights_are_counts(std::vector<double>{0.5, 16777214.0}, counts, host));
  CHECK_THROWS_AS(tree::counted_documents({}, std::vector<int>{1, -1}),
                  rankmix::InvalidArgument);
  CHECK_THROWS_AS(tree::counted_documents(std::vector<double>{1.0}, counts),
                  rankmix::InvalidArgument);
  CHECK(tree::capped({1, 5, 20}, 5.5) == tree::Counted({1, 5, 6}));
}
