#include "core/data/default_blocks.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <tuple>
#include <utility>

namespace rankmix::data {
namespace {

// Smallest number of updates per row that a block must save. Each block has its own tile,
// whose totals must be completed in each node.
constexpr double kMinSaving = 2.0;
// Number of features that a block may start from.
constexpr std::size_t kMaxSeeds = 256;
// A block starts from one feature. Another feature is added if it has its default bin in
// all default rows of the first feature, except for at most this fraction.
constexpr double kMaxLack = 1.0 / 256.0;

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

std::size_t count_bits(std::uint64_t word) {
  return std::bitset<kWordBits>(word).count();
}

// Whether `all` lacks more than `most` rows of `some`. Nearly always the first few words
// decide.
bool lacks_more(const Words& all, const Words& some, std::size_t most) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < all.size() && count <= most; ++w) {
    count += count_bits(some[w] & ~all[w]);
  }
  return count > most;
}

// The features with the most default rows. Features with the same set of default rows are
// represented by one of them.
std::vector<std::size_t> seeds_of(const std::vector<DefaultRows>& features) {
  std::vector<std::size_t> seeds(features.size());
  for (std::size_t f = 0; f < seeds.size(); ++f) {
    seeds[f] = f;
  }
  std::stable_sort(seeds.begin(), seeds.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(features[a].count, features[a].rows) >
           std::tie(features[b].count, features[b].rows);
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
    DefaultBlock best{{}, {}, 0.0};
    double most = kMinSaving;
    for (const std::size_t seed : seeds_) {
      DefaultBlock block = block_of(seed);
      const double saving = static_cast<double>(block.features.size()) * block.fraction;
      if (saving >= most) {
        most = saving;
        best = std::move(block);
      }
    }
    for (const std::uint32_t f : best.features) {
      is_free_[f] = 0;
    }
    return best;
  }

 private:
  DefaultBlock block_of(std::size_t seed) const {
    DefaultBlock block{{}, {}, 0.0};
    const DefaultRows& first = features_[seed];
    const auto most =
        static_cast<std::size_t>(kMaxLack * static_cast<double>(first.count));
    Words shared = first.rows;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      const Words& rows = features_[f].rows;
      if (is_free_[f] != 0 && !lacks_more(rows, first.rows, most)) {
        block.features.push_back(static_cast<std::uint32_t>(f));
        block.default_bins.push_back(features_[f].bin);
        std::transform(rows.begin(), rows.end(), shared.begin(), shared.begin(),
                       std::bit_and<std::uint64_t>());
      }
    }
    std::size_t count = 0;
    for (const std::uint64_t word : shared) {
      count += count_bits(word);
    }
    block.fraction = static_cast<double>(count) / static_cast<double>(rows_);
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
