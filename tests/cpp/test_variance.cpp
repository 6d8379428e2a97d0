// Residuals and counts in one wide number: tests of the best split of sums.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "close_features.h"
#include "core/base/simd.h"
#include "core/boost/draw.h"
#include "core/boost/variance_score.h"
#include "core/tree/search.h"
#include "draw.h"
#include "thread_host.h"

namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

struct Rows {
  std::size_t count;
  std::size_t features;
  std::vector<double> x;
  std::vector<std::int64_t> residuals;
  std::vector<std::uint32_t> numbers;  // of the wide channels

  Rows(std::size_t rows, unsigned seed) : count(rows), features(40) {
    std::mt19937_64 random(seed);
    draw::Normal<double> normal;
    for (std::size_t i = 0; i < rows; ++i) {
      x.push_back(normal(random));
      residuals.push_back(std::llround(1e6 * (normal(random) + 0.3 * x[i])));
    }
    x = close_features(x, features, random);
    numbers.resize(2 * rows + tree::kMaxLanes);
    for (std::size_t i = 0; i < rows; ++i) {
      tree::write_wide(boost::wide_of(residuals[i], 1), numbers.data() + 2 * i);
    }
  }
  rankmix::MatrixView<const double> view() const { return {x.data(), count, features}; }
};

double score(double sum, double count) { return sum * sum / count; }

// Tries every bin of every feature, row by row.
tree::Split best_by_hand(const data::BinnedMatrix& bins, const Rows& rows, double least) {
  tree::Split best;
  const auto count = static_cast<double>(rows.count);
  for (std::size_t f = 0; f < bins.features(); ++f) {
    const data::BinReader bin_of = bins.reader(f);
    for (int b = 0; b + 1 < bins.feature(f).value_bins(); ++b) {
      double left = 0.0;
      double all = 0.0;
      double on_left = 0.0;
      for (std::size_t i = 0; i < rows.count; ++i) {
        const auto residual = static_cast<double>(rows.residuals[i]);
        const bool is_left = bin_of(i) <= b;
        all += residual;
        left += is_left ? residual : 0.0;
        on_left += is_left ? 1.0 : 0.0;
      }
      const double gain =
          score(left, on_left) + score(all - left, count - on_left) - score(all, count);
      if (on_left >= least && count - on_left >= least &&
          gain > best.gain * (1.0 + 1e-12)) {
        best = {gain, static_cast<int>(f), b, tree::Missing::kUnseen};
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE(
    "the best split of wide residuals is found among splits of nearly equal score") {
  ThreadHost host(2);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Rows rows(400, seed);
    const data::BinnedMatrix bins(rows.view(), {20, false}, host);
    const double least = 1.0 + 30.0 * (seed % 2);
    const tree::Split wanted = best_by_hand(bins, rows, least);
    for (bool wide : {true, false}) {
      rankmix::allow_avx2(wide);
      tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
      tree::Sums sums;
      const tree::Split found =
          tree::search(adder, tree::wide_channels(rows.numbers.data()),
                       *boost::variance_finder(boost::VarianceScore(0.0, least)),
                       boost::everything(bins), host, sums);
      CHECK(found.feature == wanted.feature);
      CHECK(found.bin == wanted.bin);
      CHECK(std::abs(found.gain - wanted.gain) <= 1e-9 * wanted.gain);
    }
    rankmix::allow_avx2(true);
  }
}
