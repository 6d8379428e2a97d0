// Rows that are reordered while trees are grown: the models must be the same as without
// reordering.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/boost/gbrt.h"
#include "core/data/bins.h"
#include "core/objective/query_squared.h"
#include "core/objective/softmax.h"
#include "draw.h"
#include "gbrt_models.h"
#include "objective_case.h"
#include "thread_host.h"

using rankmix::Host;
using rankmix::MatrixView;
using rankmix::View;
namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace objective = rankmix::objective;

namespace {

constexpr std::size_t kFeatures = 41;  // two tiles, one of them with an odd feature
constexpr std::size_t kTrees = 24;

// Documents of queries. Features are correlated with the grades, and some values are
// missing. Features 20 to 33 form a block.
struct Problem {
  objective_case::Case judged;
  std::vector<double> x;

  explicit Problem(bool weights) {
    objective_case::Kind kind;
    kind.weights = weights;
    kind.queries = 400;
    kind.longest = 60;
    judged = objective_case::make_case(kind);
    judged.shifts.clear();
    std::mt19937_64 random(7);
    draw::Normal<double> normal;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      for (std::size_t i = 0; i < judged.rows(); ++i) {
        const double value = normal(random) + (f % 5 == 0 ? 0.4 * judged.grades[i] : 0.0);
        const bool absent = i % 3 != 1 && f >= 20 && f < 34;
        x.push_back(i % 13 == f  ? std::numeric_limits<double>::quiet_NaN()
                    : absent     ? 0.0
                    : f % 3 == 1 ? std::floor(2.0 * value)
                                 : value);
      }
    }
  }
  MatrixView<const double> view() const { return {x.data(), judged.rows(), kFeatures}; }
  data::BinnedMatrix bins(Host& host, bool blocks = false) const {
    data::BinOptions options;
    options.min_rows_of_blocks = blocks ? 1 : judged.rows() + 1;
    return {view(), options, host};
  }
};

// Makes a booster of the documents.
using Maker =
    std::function<boost::Gbrt(const Problem&, const data::BinnedMatrix&, Host&)>;

Maker least_squares(const boost::GbrtOptions& options, bool with_weights) {
  return [=](const Problem& problem, const data::BinnedMatrix& bins, Host& host) {
    const View<const double> weights =
        with_weights ? View<const double>(problem.judged.weights) : View<const double>();
    return boost::Gbrt(bins, problem.judged.targets, weights, options, host);
  };
}
template <class Objective>
Maker of(const boost::GbrtOptions& options) {
  return [=](const Problem& problem, const data::BinnedMatrix& bins, Host& host) {
    return boost::Gbrt(bins, std::make_unique<Objective>(), problem.judged.documents(),
                       options, host);
  };
}

std::vector<int> bins_of(const data::BinnedMatrix& bins) {
  std::vector<int> all;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    for (std::size_t i = 0; i < bins.rows(); ++i) {
      all.push_back(bins.reader(f)(i));
    }
  }
  return all;
}

void check_moved(const Problem& problem, const Maker& make) {
  ThreadHost serial(1);
  const data::BinnedMatrix bins = problem.bins(serial);
  boost::Gbrt fixed = make(problem, bins, serial);
  fixed.run(kTrees, kTrees, serial);
  CHECK(fixed.model().forest.round_begin.size() == kTrees + 1);
  for (const unsigned threads : {1U, 3U}) {
    ThreadHost host(threads);
    const bool blocks = threads > 1;
    data::BinnedMatrix own = problem.bins(host, blocks);
    CHECK(own.has_blocks() == blocks);
    boost::Gbrt fit = make(problem, own, host);
    fit.own(own, 1);
    fit.run(2, kTrees, host);
    CHECK(bins_of(own) == bins_of(bins));  // too few trees to determine an order
    fit.run(kTrees - 2, kTrees, host);
    CHECK(bins_of(own) != bins_of(bins));
    CHECK(same(fit.model(), fixed.model()));
  }
}

// Checks a fit that is resumed from some trees.
void check_resumed(const Problem& problem, const Maker& make) {
  ThreadHost host(2);
  data::BinnedMatrix bins = problem.bins(host);
  boost::Gbrt first = make(problem, bins, host);
  first.run(5, 5, host);
  boost::Gbrt fixed = make(problem, bins, host);
  fixed.run(kTrees, kTrees, host);
  boost::Gbrt fit = make(problem, bins, host);
  fit.own(bins, 1);
  fit.replay(first.model(), host);
  fit.run(kTrees - 5, kTrees, host);
  CHECK(bins_of(bins) != bins_of(problem.bins(host)));
  CHECK(same(fit.model(), fixed.model()));
}

boost::GbrtOptions options_of(std::size_t leaves) {
  boost::GbrtOptions options;
  options.limits.leaves = leaves;
  options.min_documents = 5.0;
  return options;
}

}  // namespace

TEST_CASE("reordered rows give the same trees of least squares") {
  const Problem problem(true);
  boost::GbrtOptions options = options_of(9);
  check_moved(problem, least_squares(options, false));
  check_moved(problem, least_squares(options, true));
  check_resumed(problem, least_squares(options, false));
  options.precision = boost::Precision::kDouble;
  check_moved(problem, least_squares(options, false));
  check_moved(problem, least_squares(options_of(2), false));
}

TEST_CASE("reordered rows give the same trees of objectives") {
  const Problem weighted(true);
  const Problem problem(false);
  boost::GbrtOptions options = options_of(9);
  check_moved(problem, of<objective::Softmax>(options));
  check_moved(weighted, of<objective::QuerySquared>(options));
  check_resumed(problem, of<objective::Softmax>(options));
  options.monotone = std::vector<int>(kFeatures, 0);
  options.monotone[5] = 1;
  options.feature_fraction = 0.5;
  check_moved(problem, of<objective::Softmax>(options));
  options.precision = boost::Precision::kDouble;
  options.dropout = 0.3;
  check_moved(weighted, of<objective::QuerySquared>(options));
}

TEST_CASE("rows are not reordered if other code needs their order") {
  ThreadHost host(2);
  const Problem problem(false);
  const data::BinnedMatrix bins = problem.bins(host);
  data::BinnedMatrix own = problem.bins(host);
  boost::GbrtOptions options = options_of(9);
  auto check_stays = [&](std::size_t min_bins) {
    boost::Gbrt fit = of<objective::Softmax>(options)(problem, own, host);
    fit.own(own, min_bins);
    fit.run(kTrees, kTrees, host);
    CHECK(bins_of(own) == bins_of(bins));
  };
  check_stays(bins.rows() * kFeatures + 1);
  options.query_fraction = 0.5;
  options.query_keys.assign(bins.rows(), 3);
  check_stays(1);
  options = options_of(9);
  options.oblivious = true;
  options.limits.depth = 3;
  check_stays(1);
  options = options_of(9);
  options.bagging_fraction = 0.5;
  check_stays(1);

  // Fits that share bins use the same row numbers.
  const Maker make = least_squares(options_of(9), true);
  const Problem weighted(true);
  data::BinnedMatrix shared = weighted.bins(host);
  boost::Gbrt one = make(weighted, shared, host);
  boost::Gbrt other = make(weighted, shared, host);
  one.own(shared, 1);
  boost::Gbrt::run_together({&one, &other}, kTrees, kTrees, host);
  CHECK(bins_of(shared) == bins_of(weighted.bins(host)));
  CHECK(same(one.model(), other.model()));
}

TEST_CASE("a fit with reordered rows continues together with other fits") {
  ThreadHost host(2);
  const Problem problem(true);
  const Maker make = least_squares(options_of(9), true);
  const data::BinnedMatrix bins = problem.bins(host);
  boost::Gbrt fixed = make(problem, bins, host);
  fixed.run(kTrees, kTrees, host);
  data::BinnedMatrix own = problem.bins(host);
  boost::Gbrt fit = make(problem, own, host);
  fit.own(own, 1);
  fit.run(kTrees / 2, kTrees, host);
  boost::Gbrt other = make(problem, bins, host);
  other.run(kTrees / 2, kTrees, host);
  boost::Gbrt::run_together({&fit, &other}, kTrees - kTrees / 2, kTrees, host);
  CHECK(same(fit.model(), fixed.model()));
  CHECK(same(other.model(), fixed.model()));
}

TEST_CASE("reorder() changes the order of the rows of bins") {
  ThreadHost host(3);
  const Problem problem(false);
  const data::BinnedMatrix bins = problem.bins(host);
  data::BinnedMatrix moved = problem.bins(host);
  std::vector<std::uint32_t> order(bins.rows());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(order.size() - 1 - i);
  }
  moved.reorder(order, host);
  bool all = true;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      all = all && moved.reader(f)(i) == bins.reader(f)(order[i]);
    }
  }
  CHECK(all);
  order.pop_back();
  CHECK_THROWS_AS(moved.reorder(order, host), rankmix::InvalidArgument);
}

TEST_CASE("rows of sparse bins are not reordered") {
  ThreadHost host(1);
  const std::vector<int> row_of = {0, 1, 2};
  const std::vector<int> starts = {0, 3};
  const std::vector<double> values = {1.0, 2.0, 3.0};
  const rankmix::SparseView x{values, row_of, starts, 4};
  data::BinnedMatrix bins(x, data::BinOptions(), host);
  const std::vector<std::uint32_t> order = {3, 2, 1, 0};
  CHECK(!bins.is_dense());
  CHECK_THROWS_AS(bins.reorder(order, host), rankmix::InvalidArgument);
}
