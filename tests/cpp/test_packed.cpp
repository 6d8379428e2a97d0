// Gradients, hessians and counts in one wide number: tests of the rounding, and of the
// best split of sums.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <variant>
#include <vector>

#include "close_features.h"
#include "core/base/random.h"
#include "core/base/simd.h"
#include "core/boost/draw.h"
#include "core/boost/newton_score.h"
#include "core/boost/packed_gradients.h"
#include "core/tree/search.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::Host;
using rankmix::MatrixView;
namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;

namespace {

// Documents with gradients and hessians. A fifth of the values of the second feature is
// missing.
struct Documents {
  std::size_t rows;
  std::size_t features = 5;
  std::vector<double> x;
  std::vector<double> gradients;
  std::vector<double> hessians;
  tree::Counted counted;

  MatrixView<const double> view() const { return {x.data(), rows, features}; }
  boost::GradientSums sums() const {
    boost::GradientSums all;
    for (std::size_t i = 0; i < rows; ++i) {
      all.gradient += gradients[i];
      all.magnitude += std::abs(gradients[i]);
      all.hessian += hessians[i];
      all.max_hessian = std::max(all.max_hessian, std::abs(hessians[i]));
      all.any_curved_down = all.any_curved_down || hessians[i] < 0.0;
    }
    return all;
  }
};

Documents draw_documents(std::size_t rows, unsigned seed) {
  Documents made{rows, 5, {}, {}, {}, {}};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (std::size_t f = 0; f < made.features; ++f) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = f == 2 ? std::floor(2.0 * normal(random)) : normal(random);
      made.x.push_back(f == 1 && random() % 5 == 0 ? std::nan("") : value);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    made.counted.push_back(random() % 4 == 0 ? 0 : 1);
    const bool counts = made.counted.back() != 0;
    made.gradients.push_back(counts ? normal(random) + 0.3 * made.x[i] : 0.0);
    made.hessians.push_back(counts && random() % 3 != 0 ? std::exp(normal(random)) : 0.0);
  }
  return made;
}

// The packed number of each row.
std::vector<std::uint64_t> numbers_of(const boost::PackedGradients& packed,
                                      std::size_t rows) {
  const auto wide = std::get<tree::WideRows>(packed.channels().rows);
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < rows; ++i) {
    numbers.push_back(tree::read_wide(wide.at(i)));
  }
  return numbers;
}

}  // namespace

TEST_CASE("packed gradients are rounded to a neighbour without bias") {
  ThreadHost host(3);
  const Documents made = draw_documents(400, 1);
  const data::BinnedMatrix bins(made.view(), {}, host);
  boost::PackedGradients packed(bins, made.counted, host);
  constexpr int kRounds = 3000;
  std::vector<double> gradients(made.rows, 0.0);
  std::vector<double> hessians(made.rows, 0.0);
  for (int round = 0; round < kRounds; ++round) {
    CHECK(packed.fill(made.gradients, made.hessians, {}, made.sums(), made.counted,
                      rankmix::mix_bits(static_cast<std::uint64_t>(round)), host));
    const std::vector<std::uint64_t> numbers = numbers_of(packed, made.rows);
    for (std::size_t i = 0; i < made.rows; ++i) {
      const boost::PackedBits& bits = packed.bits();
      const auto gradient = static_cast<double>(gradient_of(bits, numbers[i]));
      const auto hessian = static_cast<double>(hessian_of(bits, numbers[i]));
      const double off = gradient - made.gradients[i] / packed.gradient_unit();
      const double bent = hessian - made.hessians[i] / packed.hessian_unit();
      if (std::abs(off) > 1.0 + 1e-6 || std::abs(bent) > 1.0 + 1e-6 ||
          count_of(bits, numbers[i]) != made.counted[i] ||
          (made.gradients[i] == 0.0 && gradient != 0.0) ||
          (made.hessians[i] == 0.0 && hessian != 0.0)) {
        CHECK(false);
      }
      gradients[i] += off / kRounds;
      hessians[i] += bent / kRounds;
    }
  }
  // The mean over kRounds is within five standard errors. The standard deviation is at
  // most half a unit.
  const double most = 5.0 * 0.5 / std::sqrt(kRounds);
  for (std::size_t i = 0; i < made.rows; ++i) {
    CHECK(std::abs(gradients[i]) < most);
    CHECK(std::abs(hessians[i]) < most);
  }
}

TEST_CASE("packed gradients depend neither on the order of rows nor on threads") {
  ThreadHost host(4);
  ThreadHost serial(1);
  const Documents made = draw_documents(20000, 2);
  Documents turned = made;
  for (std::size_t f = 0; f < made.features; ++f) {
    const auto first = turned.x.begin() + static_cast<std::ptrdiff_t>(f * made.rows);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(made.rows));
  }
  std::reverse(turned.gradients.begin(), turned.gradients.end());
  std::reverse(turned.hessians.begin(), turned.hessians.end());
  std::reverse(turned.counted.begin(), turned.counted.end());
  auto pack = [&](const Documents& of, rankmix::Host& on) {
    const data::BinnedMatrix bins(of.view(), {}, on);
    boost::PackedGradients packed(bins, of.counted, on);
    CHECK(packed.fill(of.gradients, of.hessians, {}, made.sums(), of.counted, 77, on));
    return numbers_of(packed, of.rows);
  };
  const std::vector<std::uint64_t> one = pack(made, serial);
  std::vector<std::uint64_t> back = pack(turned, host);
  std::reverse(back.begin(), back.end());
  CHECK(one == back);
  rankmix::allow_avx2(false);
  CHECK(pack(made, host) == one);
  rankmix::allow_avx2(true);
}

TEST_CASE("equal hessians are exact, negative hessians and too many rows are refused") {
  ThreadHost host(2);
  Documents made = draw_documents(1000, 3);
  made.hessians.assign(made.rows, 0.37);
  const data::BinnedMatrix bins(made.view(), {}, host);
  boost::PackedGradients packed(bins, {}, host);
  CHECK(packed.fill(made.gradients, made.hessians, {}, made.sums(), {}, 5, host));
  for (std::uint64_t number : numbers_of(packed, made.rows)) {
    CHECK(hessian_of(packed.bits(), number) * packed.hessian_unit() == 0.37);
  }
  made.hessians[17] = -0.1;
  CHECK(!packed.fill(made.gradients, made.hessians, {}, made.sums(), {}, 5, host));
}

// All rows are rounded in the same direction, so the error of a sum can be one unit for
// each row.
TEST_CASE("packed sums never exceed their bits") {
  ThreadHost host(2);
  constexpr std::size_t rows = std::size_t{1} << 18;
  Documents made{rows,
                 1,
                 std::vector<double>(rows, 1.0),
                 std::vector<double>(rows, 1.0),
                 std::vector<double>(rows, 1.0),
                 {}};
  made.hessians[0] = 1.37;  // not the same for all
  const data::BinnedMatrix bins(made.view(), {}, host);
  boost::PackedGradients packed(bins, {}, host);
  for (std::uint64_t stream = 0; stream < 8; ++stream) {
    CHECK(packed.fill(made.gradients, made.hessians, {}, made.sums(), {}, stream, host));
    const std::vector<std::uint64_t> numbers = numbers_of(packed, rows);
    const std::uint64_t total =
        std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
    std::int64_t gradient = 0;
    std::uint64_t hessian = 0;
    for (std::uint64_t number : numbers) {
      gradient += gradient_of(packed.bits(), number);
      hessian += hessian_of(packed.bits(), number);
    }
    CHECK(gradient_of(packed.bits(), total) == gradient);
    CHECK(hessian_of(packed.bits(), total) == hessian);
    CHECK(count_of(packed.bits(), total) == rows);
  }
}

namespace {

// The sums of some rows, and their score.
struct Side {
  double gradient = 0.0;
  double hessian = 0.0;
  double count = 0.0;

  void add(const boost::PackedBits& bits, std::uint64_t number) {
    gradient += static_cast<double>(gradient_of(bits, number));
    hessian += static_cast<double>(hessian_of(bits, number));
    count += static_cast<double>(count_of(bits, number));
  }
  double score(double l2) const {
    return hessian + l2 > 0.0 ? gradient * gradient / (hessian + l2) : 0.0;
  }
};

// Tries every bin of every feature, row by row.
tree::Split best_by_hand(const data::BinnedMatrix& bins, const boost::NewtonOptions& how,
                         const std::vector<std::uint64_t>& numbers) {
  tree::Split best;
  for (std::size_t f = 0; f < bins.features(); ++f) {
    const data::FeatureBins& feature = bins.feature(f);
    const data::BinReader bin_of = bins.reader(f);
    for (int b = 0; b < feature.value_bins(); ++b) {
      for (bool missing_left : {false, true}) {
        Side left;
        Side right;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const bool missing = bin_of(i) == feature.missing_bin();
          Side& side = (missing ? missing_left : bin_of(i) <= b) ? left : right;
          side.add(how.packed, numbers[i]);
        }
        Side all = left;
        all.gradient += right.gradient;
        all.hessian += right.hessian;
        const double gain = left.score(how.l2) + right.score(how.l2) - all.score(how.l2);
        if (left.count >= how.min_documents && right.count >= how.min_documents &&
            gain > best.gain * (1.0 + 1e-12)) {
          best = {gain, static_cast<int>(f), b,
                  missing_left ? tree::Missing::kLeft : tree::Missing::kRight};
        }
      }
    }
  }
  return best;
}

void check_best_split(const Documents& made, int max_bins, unsigned seed, Host& host) {
  const data::BinnedMatrix bins(made.view(), {max_bins, false}, host);
  boost::PackedGradients packed(bins, made.counted, host);
  CHECK(packed.fill(made.gradients, made.hessians, {}, made.sums(), made.counted, seed,
                    host));
  boost::NewtonOptions how;
  how.packed = packed.bits();
  how.l2 = seed % 3 == 0 ? 0.0 : 0.5 / packed.hessian_unit();
  how.min_documents = 1.0 + 3.0 * (seed % 2);
  const tree::Split wanted = best_by_hand(bins, how, numbers_of(packed, made.rows));
  for (bool wide : {true, false}) {
    rankmix::allow_avx2(wide);
    tree::RowAdder adder(bins, tree::RowAdder::kGatheredBytes);
    tree::Sums sums;
    const tree::Split found =
        tree::search(adder, packed.channels(), *boost::newton_finder(how),
                     boost::everything(bins), host, sums);
    CHECK(found.feature == wanted.feature);
    CHECK(found.bin == wanted.bin);
    CHECK(std::abs(found.gain - wanted.gain) <= 1e-9 * wanted.gain);
    CHECK((found.missing == tree::Missing::kLeft) ==
          (wanted.missing == tree::Missing::kLeft));
  }
  rankmix::allow_avx2(true);
}

Documents draw_close_features(std::size_t rows, unsigned seed) {
  Documents made = draw_documents(rows, seed);
  made.features = 40;
  made.x.resize(rows);
  std::mt19937_64 random(seed + 100);
  made.x = close_features(made.x, made.features, random);
  return made;
}

}  // namespace

TEST_CASE("the best split of packed sums equals a plain search") {
  ThreadHost host(2);
  for (unsigned seed = 0; seed < 12; ++seed) {
    check_best_split(draw_documents(60 + 40 * (seed % 4), 10 + seed), 12, seed, host);
  }
}

TEST_CASE("the best split is found among splits of nearly the same score") {
  ThreadHost host(2);
  for (unsigned seed = 0; seed < 60; ++seed) {
    check_best_split(draw_close_features(400, 30 + seed), 20, seed, host);
  }
}
