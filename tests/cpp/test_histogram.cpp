// Compares sums of channels with plain sums, for all kinds of channels, rows and data,
// and for any number of rows that are gathered at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/errors.h"
#include "core/base/units.h"
#include "core/boost/confidence.h"
#include "core/boost/draw.h"
#include "core/boost/edge_score.h"
#include "core/tree/grow.h"
#include "core/tree/search.h"
#include "core/tree/search_flipped.h"
#include "draw.h"
#include "few_cases.h"
#include "thread_host.h"

namespace boost = rankmix::boost;
namespace data = rankmix::data;
namespace tree = rankmix::tree;
using rankmix::View;

namespace {

constexpr std::size_t kRows = 3000;
// Limit of the bytes of gathered channels. The channels of all rows take several times
// as many bytes.
constexpr std::size_t kLittle = 5000;
constexpr std::size_t kFeatures = 9;

// The same features as a dense and a sparse matrix. Many values are 0, and some are
// missing.
struct Features {
  std::vector<double> dense;
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts{0};

  explicit Features(unsigned seed) : dense(kRows * kFeatures, 0.0) {
    std::mt19937 random(seed);
    draw::Normal<double> normal;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      for (std::size_t i = 0; i < kRows; ++i) {
        if (random() % 3 > 0) {
          continue;
        }
        const double value = random() % 40 == 0 ? std::nan("") : normal(random);
        dense[f * kRows + i] = value;
        values.push_back(value);
        row_of.push_back(static_cast<int>(i));
      }
      starts.push_back(static_cast<int>(values.size()));
    }
  }
  rankmix::MatrixView<const double> dense_view() const {
    return {dense.data(), kRows, kFeatures};
  }
  rankmix::SparseView sparse_view() const { return {values, row_of, starts, kRows}; }
};

enum class Kind {
  kUnits,
  kFloats,
  kDoubles,
  kFine,
  kFloatMagnitudes,
  kDoubleMagnitudes,
  kFineMagnitudes,
  kFloatSums,
  kDoubleSums,
  kFineSums,
  kFloatSumMagnitudes,
  kFineSumMagnitudes
};

constexpr double kUnit = 1073741824.0;

bool is_any(Kind kind, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Channels, and their plain values in units.
struct Source {
  std::size_t kept;  // channels without magnitudes and finer channels
  std::vector<int> signs;
  std::vector<std::uint32_t> units;
  std::vector<float> floats;
  std::vector<double> doubles;
  tree::ChannelSource view;
  bool magnitudes = false;
  std::vector<std::vector<std::int64_t>> plain;  // of each row
  std::size_t part = 0;  // size of each part: signed, magnitudes, finer

  Source(Kind kind, std::size_t k, unsigned seed) {
    const bool of_floats = is_any(kind, {Kind::kFloats, Kind::kFloatMagnitudes,
                                         Kind::kFloatSums, Kind::kFloatSumMagnitudes});
    const bool fine_magnitudes =
        is_any(kind, {Kind::kFineMagnitudes, Kind::kFineSumMagnitudes});
    magnitudes =
        fine_magnitudes || is_any(kind, {Kind::kFloatMagnitudes, Kind::kDoubleMagnitudes,
                                         Kind::kFloatSumMagnitudes});
    const bool sums = is_any(kind, {Kind::kFloatSums, Kind::kDoubleSums, Kind::kFineSums,
                                    Kind::kFloatSumMagnitudes, Kind::kFineSumMagnitudes});
    const double finer = fine_magnitudes || is_any(kind, {Kind::kFine, Kind::kFineSums})
                             ? rankmix::fine_units(kRows)
                             : 0.0;
    for (std::size_t l = 0; sums && l < k; ++l) {
      signs.push_back(l % 3 == 1 ? -1 : 1);
    }
    kept = sums ? 1 : k;
    std::mt19937 random(seed);
    draw::Uniform<double> uniform(-1.0, 1.0);
    const std::size_t size = kRows * k + tree::kMaxLanes;
    units.assign(size, 7U);
    floats.assign(size, 7.0F);
    doubles.assign(size, 7.0);
    for (std::size_t i = 0; i < kRows; ++i) {
      std::vector<std::int64_t> row;
      std::vector<std::int64_t> sizes;
      std::vector<std::int64_t> rests;
      std::vector<std::int64_t> rest_sizes;
      for (std::size_t l = 0; l < k; ++l) {
        const std::size_t at = i * k + l;
        floats[at] = static_cast<float>(uniform(random) / (kRows * 16));
        doubles[at] = floats[at] + uniform(random) * 1e-13;
        const double number =
            (of_floats ? static_cast<double>(floats[at]) : doubles[at]) * kUnit;
        const std::int64_t unit = std::llround(number);
        units[at] = static_cast<std::uint32_t>(unit);
        row.push_back(unit);
        sizes.push_back(std::abs(unit));
        rests.push_back(std::llround((number - static_cast<double>(unit)) * finer));
        rest_sizes.push_back(number < 0.0 ? -rests.back() : rests.back());
      }
      if (sums && finer > 0.0) {
        double sum = 0.0;
        double magnitude = 0.0;
        for (std::size_t l = 0; l < k; ++l) {
          sum += signs[l] * doubles[i * k + l];
          magnitude += std::abs(doubles[i * k + l]);
        }
        row = {std::llround(sum * kUnit)};
        sizes = {std::llround(magnitude * kUnit)};
        rests = {std::llround((sum * kUnit - static_cast<double>(row[0])) * finer)};
        rest_sizes = {
            std::llround((magnitude * kUnit - static_cast<double>(sizes[0])) * finer)};
      } else if (sums) {
        row = {
            std::inner_product(row.begin(), row.end(), signs.begin(), std::int64_t{0})};
        sizes = {std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})};
      }
      std::vector<std::vector<std::int64_t>> others;
      if (magnitudes) {
        others.push_back(sizes);
        row.resize(tree::lanes_for((fine_magnitudes ? 4 : 2) * kept) /
                   (fine_magnitudes ? 4 : 2));
      }
      if (finer > 0.0) {
        others.push_back(rests);
      }
      if (fine_magnitudes) {
        others.push_back(rest_sizes);
      }
      part = row.size();
      for (std::vector<std::int64_t>& other : others) {
        other.resize(part);
        row.insert(row.end(), other.begin(), other.end());
      }
      plain.push_back(row);
    }
    view = of_floats ? source_of(kind, floats.data(), k) : source_of(kind, k, finer);
  }
  // Channels of floats.
  tree::ChannelSource source_of(Kind kind, const float* values, std::size_t k) const {
    if (is_any(kind, {Kind::kFloatSums, Kind::kFloatSumMagnitudes})) {
      return tree::summed_channels(values, signs, magnitudes);
    }
    return magnitudes ? tree::magnitude_channels(values, k)
                      : tree::real_channels(values, k);
  }
  // Channels of doubles, or in units.
  tree::ChannelSource source_of(Kind kind, std::size_t k, double finer) const {
    const double* values = doubles.data();
    switch (kind) {
      case Kind::kUnits:
        return tree::unit_channels(units.data(), k);
      case Kind::kFine:
        return tree::fine_channels(values, k, finer);
      case Kind::kDoubleMagnitudes:
        return tree::magnitude_channels(values, k);
      case Kind::kFineMagnitudes:
        return tree::fine_magnitude_channels(values, k, finer);
      case Kind::kDoubleSums:
        return tree::summed_channels(values, signs, magnitudes);
      case Kind::kFineSums:
      case Kind::kFineSumMagnitudes:
        return tree::fine_summed_channels(values, signs, magnitudes, finer);
      default:
        return tree::real_channels(values, k);
    }
  }
  // The same numbers in units, without magnitudes and without finer channels.
  tree::ChannelSource in_units() const { return tree::unit_channels(units.data(), kept); }
  bool turns(std::size_t channel) const { return !magnitudes || channel / part % 2 == 0; }
};

// The rows of a sample with the sign of each.
struct Signs {
  std::vector<std::uint32_t> rows;  // empty: all
  std::vector<int> signs;

  std::size_t size() const { return signs.size(); }
  std::size_t row(std::size_t i) const { return rows.empty() ? i : rows[i]; }
  std::vector<std::int8_t> negated() const {
    std::vector<std::int8_t> bits;
    for (int sign : signs) {
      bits.push_back(static_cast<std::int8_t>(sign < 0 ? -1 : 0));
    }
    return bits;
  }
};

Signs draw_signs(bool sampled, unsigned seed) {
  std::mt19937 random(seed);
  Signs drawn;
  for (std::size_t i = 0; i < kRows; ++i) {
    if (sampled && random() % 3 == 0) {
      continue;
    }
    if (sampled) {
      drawn.rows.push_back(static_cast<std::uint32_t>(i));
    }
    drawn.signs.push_back(random() % 2 == 0 ? 1 : -1);
  }
  return drawn;
}

// The number of sums of one feature that differ from plain sums over the rows.
std::size_t wrong_sums(const tree::HistogramLayout& layout, std::size_t f,
                       const tree::Sums& sums, const Source& source, const Signs& signs) {
  const data::BinnedMatrix& bins = layout.bins();
  const auto bin_count = static_cast<std::size_t>(bins.feature(f).bins());
  const std::size_t channels = source.view.count;
  std::vector<std::int64_t> expected(bin_count * channels, 0);
  std::vector<std::int64_t> total(channels, 0);
  bins.with_bins_of(f, [&](const auto& bin_of) {
    for (std::size_t i = 0; i < signs.size(); ++i) {
      const std::size_t row = signs.row(i);
      for (std::size_t l = 0; l < channels; ++l) {
        const std::int64_t number =
            source.plain[row][l] * (source.turns(l) ? signs.signs[i] : 1);
        expected[static_cast<std::size_t>(bin_of(row)) * channels + l] += number;
        total[l] += number;
      }
    }
  });
  std::size_t wrong = 0;
  auto count = [&](std::uint32_t bits, std::int64_t plain) {
    wrong += static_cast<std::int32_t>(bits) == plain ? 0 : 1;
  };
  for (std::size_t b = 0; b < bin_count; ++b) {
    for (std::size_t l = 0; l < channels; ++l) {
      count(sums.histogram[layout.begin(f) + b * layout.numbers() + l],
            expected[b * channels + l]);
    }
  }
  for (std::size_t l = 0; l < channels; ++l) {
    count(sums.total[l], total[l]);
  }
  return wrong;
}

std::size_t wrong_sums(const tree::HistogramLayout& layout, const tree::Sums& sums,
                       const Source& source, const Signs& signs) {
  std::size_t wrong = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    wrong += wrong_sums(layout, f, sums, source, signs);
  }
  return wrong;
}

std::unique_ptr<tree::SplitFinder> finder_of(const Source& source) {
  return source.magnitudes ? boost::confidence_finder(source.view, source.kept)
                           : boost::edge_finder(source.view, source.kept);
}

// Whether boosters use this number of channels of this kind.
bool is_asked_for(Kind kind, std::size_t k) {
  switch (kind) {
    case Kind::kUnits:
      return k <= 4;
    case Kind::kDoubles:
      return 2 * k > tree::kMaxLanes;
    case Kind::kFine:
    case Kind::kFloatMagnitudes:
      return 2 * k <= tree::kMaxLanes;
    case Kind::kDoubleMagnitudes:
      return 4 * k > tree::kMaxLanes && 2 * k <= tree::kMaxLanes;
    case Kind::kFineMagnitudes:
      return 4 * k <= tree::kMaxLanes;
    default:
      return true;
  }
}

// Calls use(bins, source, sampled, gathered) for each combination, or for a sample of
// the combinations.
template <class Use>
void for_each_case(rankmix::Host& host, const Use& use) {
  FewCases few;
  const Features features(1);
  const data::BinnedMatrix dense(features.dense_view(), {}, host);
  data::BinOptions options;
  options.single_features = true;
  const data::BinnedMatrix single(features.dense_view(), options, host);
  const data::BinnedMatrix sparse(features.sparse_view(), {}, host);
  for (const data::BinnedMatrix* bins : {&dense, &single, &sparse}) {
    for (Kind kind :
         {Kind::kUnits, Kind::kFloats, Kind::kDoubles, Kind::kFine,
          Kind::kFloatMagnitudes, Kind::kDoubleMagnitudes, Kind::kFineMagnitudes,
          Kind::kFloatSums, Kind::kDoubleSums, Kind::kFineSums, Kind::kFloatSumMagnitudes,
          Kind::kFineSumMagnitudes}) {
      for (std::size_t k : {2, 3, 5, 11, 16, 20}) {
        if (!is_asked_for(kind, k)) {
          continue;
        }
        const Source source(kind, k, 2);
        for (bool sampled : {false, true}) {
          for (std::size_t gathered : {kLittle, tree::RowAdder::kGatheredBytes}) {
            if (few.takes()) {
              use(*bins, source, sampled, gathered);
            }
          }
        }
      }
    }
  }
}

bool same_tree(const tree::GrownTree& a, const tree::GrownTree& b) {
  return a.gains == b.gains &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const tree::Node& x, const tree::Node& y) {
                      return x.feature == y.feature && x.left == y.left &&
                             x.threshold == y.threshold;
                    });
}

// The number of compared pairs of trees that differ, and of all splits.
struct Compared {
  std::size_t different = 0;
  std::size_t splits = 0;
  std::size_t pairs = 0;
};

// Compares the two trees that grow() returns, for each case with counts(source).
template <class Counts, class Grow>
Compared compare_trees(const Counts& counts, const Grow& grow) {
  ThreadHost host(2);
  Compared compared;
  for_each_case(host, [&](const data::BinnedMatrix& bins, const Source& source,
                          bool sampled, std::size_t gathered) {
    if (!counts(source)) {
      return;
    }
    tree::Sample sample = boost::everything(bins);
    sample.rows = draw_signs(sampled, 3).rows;
    const auto finder = finder_of(source);
    const auto [a, b] = grow(bins, source, *finder, sample, gathered, host);
    compared.splits += a.nodes.size();
    ++compared.pairs;
    compared.different += same_tree(a, b) ? 0 : 1;
  });
  return compared;
}
bool any_source(const Source&) { return true; }

}  // namespace

TEST_CASE("a search sums rows with their signs, for any number of rows at a time") {
  ThreadHost host(2);
  std::size_t wrong = 0;
  for_each_case(host, [&](const data::BinnedMatrix& bins, const Source& source,
                          bool sampled, std::size_t gathered) {
    tree::RowAdder adder(bins, gathered);
    const Signs drawn = draw_signs(sampled, 3);
    tree::Sample sample = boost::everything(bins);
    sample.rows = drawn.rows;
    Signs plain = drawn;
    plain.signs.assign(drawn.size(), 1);
    tree::FixedFeature feature(4);
    const auto finder = finder_of(source);
    tree::Sums sums;
    tree::search(adder, source.view, *finder, sample, host, sums);
    wrong += wrong_sums(adder.layout(), sums, source, plain);
    tree::search(adder, source.view, *finder, sample, host, sums, drawn.negated());
    wrong += wrong_sums(adder.layout(), sums, source, drawn);
    sample.chooser = &feature;
    tree::search(adder, source.view, *finder, sample, host, sums, drawn.negated());
    wrong += wrong_sums(adder.layout(), 4, sums, source, drawn);
  });
  CHECK(wrong == 0);
}

TEST_CASE("sums are updated for other signs, for any number of rows at a time") {
  ThreadHost host(2);
  std::size_t wrong = 0;
  for_each_case(host, [&](const data::BinnedMatrix& bins, const Source& source,
                          bool sampled, std::size_t gathered) {
    if (source.magnitudes) {
      return;
    }
    tree::RowAdder adder(bins, gathered);
    const Signs before = draw_signs(sampled, 3);
    tree::Sample sample = boost::everything(bins);
    sample.rows = before.rows;
    for (int sign : {1, -1}) {
      const std::uint32_t all_turned = sign < 0 ? ~0U : 0U;
      // Most rows change, so that they fill several chunks.
      Signs after = before;
      Signs flipped;
      std::mt19937 random(5);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const bool flips = random() % 4 > 0;
        after.signs[i] = before.signs[i] * (flips ? -sign : sign);
        if (flips) {
          flipped.rows.push_back(static_cast<std::uint32_t>(before.row(i)));
          flipped.signs.push_back(after.signs[i]);
        }
      }
      const std::vector<std::int8_t> negated = flipped.negated();
      tree::PickedRows picked(flipped.rows, flipped.size());
      picked.negated = negated;
      const auto finder = finder_of(source);
      tree::Sums from;
      tree::Sums sums;
      tree::search(adder, source.view, *finder, sample, host, from, before.negated());
      tree::search_flipped(adder, from, all_turned, picked, source.view, *finder, sample,
                           host, sums);
      wrong += wrong_sums(adder.layout(), sums, source, after);
      tree::search_flipped(adder, from, all_turned, picked, source.view, *finder, sample,
                           host, from);
      wrong += wrong_sums(adder.layout(), from, source, after);
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("a tree does not depend on how many rows are gathered at a time") {
  const Compared compared = compare_trees(
      any_source, [](const data::BinnedMatrix& bins, const Source& source,
                     const tree::SplitFinder& score, const tree::Sample& sample,
                     std::size_t gathered, ThreadHost& host) {
        tree::Grower whole(bins);
        tree::Grower parts(bins, gathered == kLittle ? kLittle : 500);
        return std::pair(whole.grow(source.view, score, {9}, sample, host),
                         parts.grow(source.view, score, {9}, sample, host));
      });
  CHECK(compared.different == 0);
  CHECK(compared.splits > 2 * compared.pairs);
}

// Channels of floats are read in place for children, channels in units are gathered.
TEST_CASE("a tree on floats equals the tree on their units") {
  const Compared compared = compare_trees(
      [](const Source& source) {
        return std::holds_alternative<tree::RealRows<float>>(source.view.rows) &&
               source.kept <= 4;
      },
      [](const data::BinnedMatrix& bins, const Source& source,
         const tree::SplitFinder& score, const tree::Sample& sample, std::size_t gathered,
         ThreadHost& host) {
        tree::Grower grower(bins, gathered);
        return std::pair(grower.grow(source.view, score, {9}, sample, host),
                         grower.grow(source.in_units(), score, {9}, sample, host));
      });
  CHECK(compared.different == 0);
  CHECK(compared.splits > 2 * compared.pairs);
}

TEST_CASE("a tree is the same if leaves return their histograms") {
  const Compared compared = compare_trees(
      any_source, [](const data::BinnedMatrix& bins, const Source& source,
                     const tree::SplitFinder& score, const tree::Sample& sample,
                     std::size_t gathered, ThreadHost& host) {
        tree::Grower unlimited(bins, gathered);
        tree::Grower narrow(bins, gathered, 0);
        return std::pair(unlimited.grow(source.view, score, {60}, sample, host),
                         narrow.grow(source.view, score, {60}, sample, host));
      });
  CHECK(compared.different == 0);
  CHECK(compared.splits > 10 * compared.pairs);
}

// All histograms that existed at the same time are kept for reuse.
TEST_CASE("few large histograms exist at a time") {
  ThreadHost host(1);
  const Features features(1);
  const data::BinnedMatrix bins(features.dense_view(), {}, host);
  const Source source(Kind::kFloats, 5, 2);
  const tree::Sample sample = boost::everything(bins);
  const auto finder = finder_of(source);
  tree::Grower narrow(bins, tree::RowAdder::kGatheredBytes, 0);
  tree::Grower unlimited(bins);
  for (int turn = 0; turn < 3; ++turn) {
    narrow.grow(source.view, *finder, {60}, sample, host);
    unlimited.grow(source.view, *finder, {60}, sample, host);
    const std::size_t one = narrow.adder().layout().size() * sizeof(std::uint32_t);
    CHECK(narrow.adder().spare_bytes() == 4 * one);
    CHECK(unlimited.adder().spare_bytes() > 10 * one);
    CHECK(unlimited.adder().spare_bytes() <= 60 * one);
  }
}

TEST_CASE("histograms of few channels stay small when they are reused") {
  ThreadHost host(1);
  const Features features(1);
  const data::BinnedMatrix bins(features.dense_view(), {}, host);
  const tree::Sample sample = boost::everything(bins);
  tree::Grower grower(bins, tree::RowAdder::kGatheredBytes, 0);
  std::size_t expected = 0;
  for (int turn = 0; turn < 4; ++turn) {
    for (std::size_t k : {1, 16}) {
      const Source source(Kind::kFloats, k, 2);
      // A stump needs one histogram, a tree needs four.
      grower.grow(source.view, *finder_of(source), {k == 1 ? 2U : 60U}, sample, host);
      if (turn == 0) {
        expected +=
            (k == 1 ? 1 : 4) * grower.adder().layout().size() * sizeof(std::uint32_t);
      }
    }
    CHECK(grower.adder().spare_bytes() == expected);
  }
}

TEST_CASE("tiles of any width have the bins of single features") {
  ThreadHost host(1);
  std::mt19937 random(7);
  constexpr std::size_t rows = 12;
  data::BinOptions options;
  options.single_features = true;
  for (std::size_t features = 1; features <= 150; ++features) {
    std::vector<double> x(rows * features);
    std::generate(x.begin(), x.end(), [&] { return random() % 5; });
    const rankmix::MatrixView<const double> view(x.data(), rows, features);
    const data::BinnedMatrix tiled(view, {}, host);
    const data::BinnedMatrix single(view, options, host);
    const std::vector<data::Tile>& tiles = tiled.tiles();
    std::size_t next = 0;
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      wrong += tiles[t].features[0] == next && tiles[t].width() > 0 ? 0 : 1;
      next += tiles[t].width();
      // Both halves have tiles of the same widths, except for the last tile.
      const std::size_t half = tiles.size() / 2;
      wrong +=
          t < half || t + 1 == tiles.size() || tiles[t].width() == tiles[t - half].width()
              ? 0
              : 1;
    }
    for (std::size_t f = 0; f < features; ++f) {
      for (std::size_t i = 0; i < rows; ++i) {
        wrong += tiled.reader(f)(i) == single.reader(f)(i) ? 0 : 1;
      }
    }
    CHECK(next == features);
    CHECK(single.tiles().size() == features);
    CHECK(wrong == 0);
  }
}
