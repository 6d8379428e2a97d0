#include "core/data/default_blocks.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankmix::data {
namespace {

// Least number of updates a row that a block saves. Each block costs a tile of its own,
// whose totals are completed in each node.
constexpr double kMinSaving = 2.0;
// Number of features that a block may start from.
constexpr std::size_t kMaxSeeds = 64;

constexpr std::size_t kWordBits = 64;
using Words = std::vector<std::uint64_t>;

// The most frequent bin of a feature, and the rows that have it.
struct DefaultRows {
  std::uint8_t bin;
  std::size_t count;
  Words rows;
};

DefaultRows default_rows(const std::uint8_t* bins, std::size_t rows) {
  std::array<std::size_t, 256> counts{};
  for (std::size_t i = 0; i < rows; ++i) {
    ++counts[bins[i]];
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  DefaultRows found{static_cast<std::uint8_t>(most - counts.begin()), *most,
                    Words((rows + kWordBits - 1) / kWordBits, 0)};
  for (std::size_t i = 0; i < rows; ++i) {
    found.rows[i / kWordBits] |= std::uint64_t{bins[i] == found.bin} << (i % kWordBits);
  }
  return found;
}

bool contains(const Words& all, const Words& some) {
  for (std::size_t w = 0; w < all.size(); ++w) {
    if ((some[w] & ~all[w]) != 0) {
      return false;
    }
  }
  return true;
}

// The features with the most default rows, one for each set of rows.
std::vector<std::size_t> seeds_of(const std::vector<DefaultRows>& features) {
  std::vector<std::size_t> seeds(features.size());
  for (std::size_t f = 0; f < seeds.size(); ++f) {
    seeds[f] = f;
  }
  std::stable_sort(seeds.begin(), seeds.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(features[a].count, features[a].rows) >
           std::make_pair(features[b].count, features[b].rows);
  });
  seeds.erase(std::unique(seeds.begin(), seeds.end(),
                          [&](std::size_t a, std::size_t b) {
                            return features[a].rows == features[b].rows;
                          }),
              seeds.end());
  seeds.resize(std::min(seeds.size(), kMaxSeeds));
  return seeds;
}

// Finds one block after the other among the features that are still free.
class Search {
 public:
  Search(std::vector<DefaultRows> features, std::size_t rows)
      : features_(std::move(features)),
        rows_(rows),
        seeds_(seeds_of(features_)),
        is_free_(features_.size(), 1) {}

  // The block that saves most. It has no features if no block saves enough.
  DefaultBlock next() {
    double most = 0.0;
    std::size_t best = 0;
    for (const std::size_t seed : seeds_) {
      const double saving = saving_of(seed);
      if (saving > most) {
        most = saving;
        best = seed;
      }
    }
    return most < kMinSaving ? DefaultBlock{{}, {}, 0.0} : take(best);
  }

 private:
  bool belongs(std::size_t f, std::size_t seed) const {
    return is_free_[f] != 0 && contains(features_[f].rows, features_[seed].rows);
  }
  double fraction(std::size_t f) const {
    return static_cast<double>(features_[f].count) / static_cast<double>(rows_);
  }
  double saving_of(std::size_t seed) const {
    std::size_t width = 0;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      width += belongs(f, seed) ? 1 : 0;
    }
    return static_cast<double>(width) * fraction(seed);
  }
  DefaultBlock take(std::size_t seed) {
    DefaultBlock block{{}, {}, fraction(seed)};
    for (std::size_t f = 0; f < features_.size(); ++f) {
      if (belongs(f, seed)) {
        block.features.push_back(static_cast<std::uint32_t>(f));
        block.default_bins.push_back(features_[f].bin);
      }
    }
    for (const std::uint32_t f : block.features) {
      is_free_[f] = 0;
    }
    return block;
  }

  std::vector<DefaultRows> features_;
  std::size_t rows_;
  std::vector<std::size_t> seeds_;
  std::vector<std::uint8_t> is_free_;
};

}  // namespace

std::vector<DefaultBlock> find_default_blocks(View<const std::uint8_t> bins,
                                              std::size_t rows, std::size_t features) {
  std::vector<DefaultRows> found;
  for (std::size_t f = 0; f < features; ++f) {
    found.push_back(default_rows(bins.data() + f * rows, rows));
  }
  Search search(std::move(found), rows);
  std::vector<DefaultBlock> blocks;
  while (blocks.size() < kMaxBlocks) {
    DefaultBlock block = search.next();
    if (block.features.empty()) {
      break;
    }
    blocks.push_back(std::move(block));
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const DefaultBlock& a, const DefaultBlock& b) {
                     return a.fraction < b.fraction;
                   });
  return blocks;
}

}  // namespace rankmix::data
