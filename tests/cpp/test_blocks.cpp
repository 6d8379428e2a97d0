// Blocks of features whose sums omit some rows: models and sums must be the same as with
// all rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "core/boost/adaboost_mh.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/base_tree.h"
#include "core/boost/row_order.h"
#include "core/data/bins.h"
#include "core/data/default_blocks.h"
#include "core/tree/row_adder.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::View;
namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

constexpr std::size_t kRows = 3000;
constexpr std::size_t kFeatures = 90;

// Features 0, 2, 4, .. 82 are 0 in the same 70 % of rows, and features 1, 3, .. 41 in 40
// % of rows, with few exceptions. The other features are dense. Two features are
// constant.
struct Problem {
  std::vector<double> x;
  std::vector<int> grades;
  std::vector<double> weights;
  std::vector<int> counts;

  Problem() : x(kRows * kFeatures) {
    std::mt19937_64 random(11);
    draw::Normal<double> normal;
    for (std::size_t i = 0; i < kRows; ++i) {
      const bool first = random() % 10 < 7;
      const bool second = random() % 10 < 4;
      double sum = 0.0;
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const bool zero = f <= 82 && f % 2 == 0 ? first : f <= 41 && f % 2 == 1 && second;
        double value = f >= 88                       ? 3.0
                       : zero && random() % 2000 > 0 ? 0.0
                                                     : std::exp(normal(random));
        sum += f % 7 == 0 ? value : 0.0;
        if (f == 86 && i % 11 == 0) {
          value = std::numeric_limits<double>::quiet_NaN();
        }
        x[f * kRows + i] = value;
      }
      grades.push_back(sum > 9.0 ? 2 : sum > 4.0 ? 1 : 0);
      counts.push_back(static_cast<int>(random() % 3));
      weights.push_back(counts.back());
    }
  }
  data::BinnedMatrix bins(rankmix::Host& host, bool blocks) const {
    data::BinOptions options;
    options.max_bins = 40;
    options.min_rows_of_blocks = blocks ? 1 : kRows + 1;
    return {MatrixView<const double>(x.data(), kRows, kFeatures), options, host};
  }
};

std::vector<std::uint32_t> sort_rows(data::BinnedMatrix& bins, rankmix::Host& host) {
  boost::RowOrder order(bins.rows());
  order.sort_by(bins.block_patterns(host));
  std::vector<std::uint32_t> rows(order.rows().begin(), order.rows().end());
  bins.reorder(rows, host);
  return rows;
}

tree::Histogram sum_rows(const data::BinnedMatrix& bins,
                         const tree::ChannelSource& source,
                         View<const std::uint32_t> listed, rankmix::Host& host,
                         std::size_t gathered_bytes = 1 << 12) {
  tree::RowAdder adder(bins, gathered_bytes);
  adder.lay_out(source);
  tree::Totals total(adder.layout().numbers(), 0U);
  tree::Histogram histogram = adder.take_histogram();
  const tree::PickedRows picked(listed, listed.empty() ? bins.rows() : listed.size());
  adder.add_up_anew(source, picked, false, total, histogram, host, [](std::size_t) {});
  return histogram;
}

// Whether the histograms of two matrices have the same sums for each feature and bin.
bool same_sums(const data::BinnedMatrix& a, const tree::Histogram& of_a,
               const data::BinnedMatrix& b, const tree::Histogram& of_b,
               std::size_t numbers) {
  bool same = true;
  for (std::size_t f = 0; f < a.features(); ++f) {
    const auto used = static_cast<std::size_t>(a.feature(f).bins()) * numbers;
    const auto* first = of_a.data() + a.slot(f) * numbers;
    same = same && std::equal(first, first + used, of_b.data() + b.slot(f) * numbers);
  }
  return same;
}

bool same(const boost::AdaBoostModel& a, const boost::AdaBoostModel& b) {
  return a.alpha == b.alpha && a.edge == b.edge && a.status == b.status &&
         a.forest.feature == b.forest.feature &&
         a.forest.threshold == b.forest.threshold && a.forest.values == b.forest.values &&
         a.forest.missing_left == b.forest.missing_left &&
         a.forest.gains == b.forest.gains &&
         a.forest.leaf_documents == b.forest.leaf_documents;
}

}  // namespace

TEST_CASE("the features of a block have the default rows of its first feature") {
  ThreadHost host(1);
  const Problem problem;
  const data::BinnedMatrix bins = problem.bins(host, false);
  std::vector<std::uint8_t> columns;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    for (std::size_t i = 0; i < kRows; ++i) {
      columns.push_back(bins.reader(f)(i));
    }
  }
  const std::vector<data::DefaultBlock> blocks =
      data::find_default_blocks(columns, kRows, kFeatures);
  REQUIRE(!blocks.empty());
  std::set<std::uint32_t> seen;
  for (const data::DefaultBlock& block : blocks) {
    std::size_t all = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      bool at_default = true;
      for (std::size_t j = 0; j < block.features.size(); ++j) {
        at_default =
            at_default && columns[block.features[j] * kRows + i] == block.default_bins[j];
      }
      all += at_default ? 1 : 0;
    }
    CHECK(block.fraction == doctest::Approx(static_cast<double>(all) / kRows));
    CHECK(block.fraction * static_cast<double>(block.features.size()) >= 2.0);
    CHECK(std::is_sorted(block.features.begin(), block.features.end()));
    for (const std::uint32_t f : block.features) {
      CHECK(seen.insert(f).second);
    }
  }
  CHECK(seen.count(88) == 1);  // constant
  CHECK(seen.count(87) == 0);  // dense
  CHECK(std::is_sorted(blocks.begin(), blocks.end(),
                       [](const data::DefaultBlock& a, const data::DefaultBlock& b) {
                         return a.fraction < b.fraction;
                       }));
  // Features without common default rows.
  std::mt19937_64 random(3);
  for (std::uint8_t& bin : columns) {
    bin = static_cast<std::uint8_t>(random() % 30);
  }
  CHECK(data::find_default_blocks(columns, kRows, kFeatures).empty());
}

TEST_CASE("tiles of blocks have all features and omit rows after sorting") {
  ThreadHost host(2);
  const Problem problem;
  const data::BinnedMatrix plain = problem.bins(host, false);
  data::BinnedMatrix bins = problem.bins(host, true);
  CHECK(!plain.has_blocks());
  REQUIRE(bins.has_blocks());
  std::set<std::uint32_t> seen;
  for (const data::Tile& tile : bins.tiles()) {
    CHECK(tile.width() <= data::kMaxTileWidth + 3);
    CHECK(tile.summed == nullptr);
    for (const std::uint32_t f : tile.features) {
      CHECK(seen.insert(f).second);
      CHECK(&bins.tile_of(f) == &tile);
    }
  }
  CHECK(seen.size() == kFeatures);
  const std::vector<std::uint32_t> order = sort_rows(bins, host);
  std::size_t wrong = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    for (std::size_t i = 0; i < kRows; ++i) {
      wrong += bins.reader(f)(i) == plain.reader(f)(order[i]) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  std::size_t summed = 0;
  for (const data::Tile& tile : bins.tiles()) {
    if (tile.summed == nullptr) {
      summed += kRows * tile.width();
      continue;
    }
    std::size_t next = 0;
    for (const data::RowRange& range : *tile.summed) {
      CHECK(range.begin >= next);
      CHECK(range.end > range.begin);
      next = range.end;
      summed += (range.end - range.begin) * tile.width();
    }
  }
  // With only one of the two blocks, the fraction would be at least .65.
  CHECK(summed < kRows * kFeatures * 62 / 100);
}

TEST_CASE("sums of rows are the same with and without blocks") {
  const Problem problem;
  ThreadHost host(2);
  const data::BinnedMatrix plain = problem.bins(host, false);
  data::BinnedMatrix bins = problem.bins(host, true);
  const std::vector<std::uint32_t> order = sort_rows(bins, host);
  std::mt19937_64 random(5);
  constexpr std::size_t numbers = 4;
  std::vector<std::uint32_t> of_plain((kRows + 1) * numbers + tree::kMaxLanes);
  std::generate(of_plain.begin(), of_plain.end(),
                [&] { return static_cast<std::uint32_t>(random()); });
  std::vector<std::uint32_t> moved(of_plain.size());
  for (std::size_t i = 0; i < kRows; ++i) {
    std::copy_n(of_plain.begin() + static_cast<std::ptrdiff_t>(order[i] * numbers),
                numbers, moved.begin() + static_cast<std::ptrdiff_t>(i * numbers));
  }
  for (std::size_t some : {kRows, kRows / 2, std::size_t{40}, std::size_t{1}}) {
    std::vector<std::uint32_t> listed;
    std::vector<std::uint32_t> listed_plain;
    if (some < kRows) {
      for (std::uint32_t i = 0; i < kRows; ++i) {
        if (random() % kRows < some || (some == 1 && i == 7)) {
          listed.push_back(i);
          listed_plain.push_back(order[i]);
        }
      }
      std::sort(listed_plain.begin(), listed_plain.end());
    }
    const tree::ChannelSource source = tree::unit_channels(moved.data(), numbers);
    const tree::ChannelSource source_plain =
        tree::unit_channels(of_plain.data(), numbers);
    CHECK(same_sums(plain, sum_rows(plain, source_plain, listed_plain, host), bins,
                    sum_rows(bins, source, listed, host), numbers));
  }
}

TEST_CASE("many threads cut rows into parts, and sums are the same") {
  constexpr std::size_t rows = 40000;
  constexpr std::size_t features = 5;
  constexpr std::size_t numbers = 2;
  std::mt19937_64 random(8);
  std::vector<double> x(rows * features);
  std::generate(x.begin(), x.end(),
                [&] { return static_cast<double>(random() % 5 * (random() % 2)); });
  std::vector<std::uint32_t> channels(rows * numbers + tree::kMaxLanes);
  std::generate(channels.begin(), channels.end(),
                [&] { return static_cast<std::uint32_t>(random()); });
  ThreadHost serial(1);
  const data::BinnedMatrix bins(MatrixView<const double>(x.data(), rows, features), {},
                                serial);
  std::vector<std::uint32_t> listed;
  for (std::uint32_t i = 0; i < rows; ++i) {
    if (random() % 4 > 0) {
      listed.push_back(i);
    }
  }
  class CountingHost : public ThreadHost {
   public:
    using ThreadHost::ThreadHost;
    void parallel_for(std::size_t count,
                      const rankmix::FunctionRef<void(std::size_t)>& task) override {
      most = std::max(most, count);
      ThreadHost::parallel_for(count, task);
    }
    std::size_t most = 0;
  };
  for (const auto& source : {tree::wide_channels(channels.data()),
                             tree::unit_channels(channels.data(), numbers)}) {
    for (const auto& picked : {std::vector<std::uint32_t>(), listed}) {
      CountingHost host(5);
      CHECK(same_sums(
          bins, sum_rows(bins, source, picked, serial), bins,
          sum_rows(bins, source, picked, host, tree::RowAdder::kGatheredBytes), numbers));
      CHECK(host.most >= 2);
    }
  }
}

TEST_CASE("AdaBoost.MH trains the same model with sorted rows") {
  const Problem problem;
  std::vector<std::unique_ptr<boost::BaseLearner>> learners;
  learners.push_back(std::make_unique<boost::TreeLearner>(2));
  learners.push_back(std::make_unique<boost::TreeLearner>(6, true));
  learners.push_back(std::make_unique<boost::ProductLearner>(2));
  learners.push_back(std::make_unique<boost::HammingTreeLearner>(5));
  for (const auto& learner : learners) {
    for (const bool counted : {false, true}) {
      boost::AdaBoostOptions options;
      options.feature_fraction = counted ? 0.6 : 1.0;
      options.precision = counted ? boost::Precision::kDouble : boost::Precision::kSingle;
      std::vector<double> weights;
      if (counted) {
        options.counts = problem.counts;
        weights = problem.weights;
      }
      ThreadHost serial(1);
      const data::BinnedMatrix plain = problem.bins(serial, false);
      boost::AdaBoost fixed(plain, problem.grades, weights, 3, options, *learner, serial);
      fixed.run(10, 10, serial);
      CHECK(fixed.model().alpha.size() == 10);
      ThreadHost host(3);
      data::BinnedMatrix bins = problem.bins(host, true);
      boost::AdaBoost fit(bins, problem.grades, weights, 3, options, *learner, host);
      fit.own(bins, host);
      CHECK(std::any_of(bins.tiles().begin(), bins.tiles().end(),
                        [](const data::Tile& tile) { return tile.summed != nullptr; }));
      fit.replay(fixed.model(), host);
      CHECK(same(fit.model(), fixed.model()));
      data::BinnedMatrix again = problem.bins(host, true);
      boost::AdaBoost anew(again, problem.grades, weights, 3, options, *learner, host);
      anew.own(again, host);
      anew.run(10, 10, host);
      CHECK(same(anew.model(), fixed.model()));
    }
  }
}

TEST_CASE("rows are not reordered if a fit samples rows or has no blocks") {
  const Problem problem;
  ThreadHost host(1);
  boost::TreeLearner learner(3);
  boost::AdaBoostOptions options;
  for (const bool blocks : {false, true}) {
    options.bagging_fraction = blocks ? 0.5 : 1.0;
    data::BinnedMatrix bins = problem.bins(host, blocks);
    const std::uint8_t* first = bins.tiles()[0].bins;
    const std::vector<std::uint8_t> before(first, first + kRows);
    boost::AdaBoost fit(bins, problem.grades, {}, 3, options, learner, host);
    fit.own(bins, host);
    CHECK(std::equal(before.begin(), before.end(), first));
  }
}
