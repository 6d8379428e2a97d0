// Boosters that train together on the same bins: each must grow the same trees as alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/boost/gbrt.h"
#include "core/data/bins.h"
#include "core/tree/roots.h"
#include "draw.h"
#include "gbrt_models.h"
#include "thread_host.h"

using rankmix::MatrixView;
namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

// More rows than are gathered at a time.
constexpr std::size_t kRows = 10001;
constexpr std::size_t kFeatures = 7;

std::vector<double> draw_features() {
  std::mt19937_64 random(3);
  draw::Normal<double> normal;
  std::vector<double> x(kRows * kFeatures);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 11 == 0 ? std::numeric_limits<double>::quiet_NaN() : normal(random);
  }
  return x;
}

// Targets and weights of one of several boosters. Number 5 has no weights. Number 2 has
// constant targets, so it has nothing to learn.
struct Learner {
  std::vector<double> targets;
  std::vector<double> weights;
};

std::vector<Learner> draw_learners(const std::vector<double>& x) {
  std::mt19937_64 random(4);
  std::vector<Learner> learners(7);
  for (std::size_t k = 0; k < learners.size(); ++k) {
    for (std::size_t i = 0; i < kRows; ++i) {
      const double of_k = x[(k % kFeatures) * kRows + i];
      const double noise = static_cast<double>(random() % 100) / 100.0;
      learners[k].targets.push_back(k == 2 ? 1.0 : (of_k > noise ? 1.0 : 0.0));
      if (k != 5) {
        learners[k].weights.push_back(static_cast<double>(random() % 4));
      }
    }
  }
  return learners;
}

void check_together(const data::BinnedMatrix& bins, const std::vector<Learner>& learners,
                    const boost::GbrtOptions& options) {
  std::vector<boost::GbrtModel> serial;
  for (const Learner& learner : learners) {
    ThreadHost host(1);
    boost::Gbrt fit(bins, learner.targets, learner.weights, options, host);
    fit.run(6, 6, host);
    serial.push_back(fit.model());
  }
  for (const unsigned threads : {1U, 3U}) {
    ThreadHost host(threads);
    std::vector<std::unique_ptr<boost::Gbrt>> fits;
    std::vector<boost::Gbrt*> all;
    for (const Learner& learner : learners) {
      fits.push_back(std::make_unique<boost::Gbrt>(bins, learner.targets, learner.weights,
                                                   options, host));
      all.push_back(fits.back().get());
    }
    boost::Gbrt::run_together(all, 4, 6, host);
    std::vector<boost::Gbrt*> going;
    std::copy_if(all.begin(), all.end(), std::back_inserter(going),
                 [](const boost::Gbrt* fit) { return !fit->model().stalled; });
    boost::Gbrt::run_together(going, 2, 6, host);
    for (std::size_t k = 0; k < all.size(); ++k) {
      CHECK(same(all[k]->model(), serial[k]));
    }
    CHECK(going.size() + 1 == all.size());
  }
}

}  // namespace

TEST_CASE("boosters that train together grow the same trees as alone") {
  const std::vector<double> x = draw_features();
  const std::vector<Learner> learners = draw_learners(x);
  ThreadHost host(2);
  const data::BinnedMatrix bins(MatrixView<const double>(x.data(), kRows, kFeatures), {},
                                host);
  boost::GbrtOptions options;
  options.limits = {9, 4};
  check_together(bins, learners, options);
  options.precision = boost::Precision::kDouble;
  options.feature_fraction = 0.5;
  check_together(bins, learners, options);
  options.precision = boost::Precision::kSingle;
  options.limits = {2, 1};
  check_together(bins, learners, options);
  options.bagging_fraction = 0.5;  // trees do not start from the sums of all documents
  check_together(bins, learners, options);
  options.bagging_fraction = 1.0;
  options.dropout = 0.5;
  check_together(bins, learners, options);
}

TEST_CASE("sums of several learners equal single sums, in dense and sparse tiles") {
  std::vector<double> values;
  std::vector<int> rows;
  std::vector<int> starts{0};
  for (std::size_t f = 0; f < kFeatures; ++f) {
    for (std::size_t i = f; i < kRows; i += 7 + f) {
      values.push_back(static_cast<double>(i % 5) + 1.0);
      rows.push_back(static_cast<int>(i));
    }
    starts.push_back(static_cast<int>(rows.size()));
  }
  ThreadHost host(2);
  const rankmix::SparseView sparse({values.data(), values.size()},
                                   {rows.data(), rows.size()},
                                   {starts.data(), starts.size()}, kRows);
  const data::BinnedMatrix bins(sparse, {}, host);
  std::mt19937_64 random(6);
  std::vector<std::vector<std::uint32_t>> units(5);
  std::vector<tree::ChannelSource> sources;
  for (std::vector<std::uint32_t>& of : units) {
    of.resize(3 * kRows + tree::kMaxLanes);
    std::generate(of.begin(), of.end(), [&] { return std::uint32_t(random()); });
    sources.push_back(tree::unit_channels(of.data(), 3));
    CHECK(tree::RootSums::takes(sources.back()));
  }
  CHECK(!tree::RootSums::takes(tree::unit_channels(units[0].data(), 2)));
  CHECK(!tree::RootSums::takes(tree::wide_channels(units[0].data())));
  tree::RootSums roots(bins);
  for (int again = 0; again < 2; ++again) {
    const std::vector<tree::Sums> found = roots.add_up(sources, host);
    for (std::size_t k = 0; k < units.size(); ++k) {
      tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
      adder.lay_out(sources[k]);
      tree::Sums sums;
      sums.total.assign(adder.layout().numbers(), 0U);
      sums.histogram = adder.take_histogram();
      adder.add_up_anew(sources[k], {{}, kRows}, false, sums.total, sums.histogram, host,
                        [](std::size_t) {});
      bool equal = true;
      for (std::size_t i = 0; i < sums.histogram.size(); ++i) {
        equal = equal && (i % 4 == 3 || sums.histogram[i] == found[k].histogram[i]);
      }
      CHECK(equal);
      CHECK(
          std::equal(sums.total.begin(), sums.total.begin() + 3, found[k].total.begin()));
    }
  }
}
