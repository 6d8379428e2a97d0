// Tiles of blocks of features. Some rows are left out of the sums of these tiles.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/base/blocks.h"
#include "core/data/bins.h"

namespace rankmix::data {
namespace {

// Number of rows in the sample from which blocks are found. The rows are in runs of
// neighbours that share a memory page. A block may have exceptions in some rows.
constexpr std::size_t kSampleRows = 2048;
constexpr std::size_t kRun = 16;
// Rows are sorted so that each tile sums few ranges. With more ranges, searching for the
// rows of a node in each range would take too long.
constexpr std::size_t kMaxRanges = std::size_t{1} << kMaxBlocks;
// If fewer rows than this are between two ranges, the ranges are joined.
constexpr std::size_t kMinGap = 512;

// The features of a tile, and the mean number of them that a row adds to a histogram.
struct PlannedTile {
  std::vector<std::uint32_t> features;
  std::vector<std::uint8_t> default_bins;  // empty if the tile is not of a block
  double cost;
};

// Cuts features into tiles of at most kMaxTileWidth features and nearly equal widths.
void plan_block(const DefaultBlock& block, std::vector<PlannedTile>& plan) {
  const std::size_t all = block.features.size();
  const std::size_t tiles = (all + kMaxTileWidth - 1) / kMaxTileWidth;
  for (std::size_t t = 0; t < tiles; ++t) {
    const auto begin = static_cast<std::ptrdiff_t>(t * all / tiles);
    const auto end = static_cast<std::ptrdiff_t>((t + 1) * all / tiles);
    plan.push_back(
        {{block.features.begin() + begin, block.features.begin() + end},
         {block.default_bins.begin() + begin, block.default_bins.begin() + end},
         static_cast<double>(end - begin) * (1.0 - block.fraction)});
  }
}

void plan_others(const std::vector<std::uint32_t>& others,
                 std::vector<PlannedTile>& plan) {
  const std::vector<std::size_t> starts = tile_starts(others.size(), false);
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    const auto begin = static_cast<std::ptrdiff_t>(starts[t]);
    const auto end = static_cast<std::ptrdiff_t>(starts[t + 1]);
    if (begin < end) {
      plan.push_back({{others.begin() + begin, others.begin() + end},
                      {},
                      static_cast<double>(end - begin)});
    }
  }
}

// Two threads start at one half each. So the halves have nearly the same cost, and cheap
// tiles come last.
std::vector<PlannedTile> balanced(std::vector<PlannedTile> plan) {
  std::stable_sort(
      plan.begin(), plan.end(),
      [](const PlannedTile& a, const PlannedTile& b) { return a.cost > b.cost; });
  std::array<std::vector<PlannedTile>, 2> halves;
  std::array<double, 2> costs{};
  const std::size_t most = (plan.size() + 1) / 2;
  for (PlannedTile& tile : plan) {
    const bool full = halves[0].size() == most || halves[1].size() == most;
    const std::size_t shorter = halves[1].size() < halves[0].size() ? 1 : 0;
    const std::size_t half = full ? shorter : (costs[1] < costs[0] ? 1 : 0);
    costs[half] += tile.cost;
    halves[half].push_back(std::move(tile));
  }
  std::move(halves[1].begin(), halves[1].end(), std::back_inserter(halves[0]));
  return std::move(halves[0]);
}

bool is_default(const Tile& tile, std::size_t row) {
  return std::memcmp(tile.bins + row * tile.width(), tile.default_bins.data(),
                     tile.width()) == 0;
}

// Finds ranges that contain all rows in which some feature of the block does not have its
// default bin. Returns false if there are too many.
bool find_ranges(const Tile& tile, std::size_t rows, std::vector<RowRange>& ranges) {
  ranges.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    if (is_default(tile, i)) {
      continue;
    }
    const auto row = static_cast<std::uint32_t>(i);
    if (!ranges.empty() && row - ranges.back().end < kMinGap) {
      ranges.back().end = row + 1;
    } else if (ranges.size() < kMaxRanges) {
      ranges.push_back({row, row + 1});
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void BinnedMatrix::find_blocks(MatrixView<const double> x, Host& host) {
  const std::size_t runs = std::min(kSampleRows, rows_) / kRun;
  const std::size_t sampled = runs * kRun;
  if (sampled == 0) {
    return;
  }
  std::vector<std::uint8_t> bins(sampled * features());
  host.parallel_for(features(), [&](std::size_t f) {
    const BinLookup bin_of(features_[f]);
    for (std::size_t i = 0; i < sampled; ++i) {
      const std::size_t first = i / kRun * (rows_ - kRun) / runs;
      bins[f * sampled + i] = bin_of(x.col(f)[first + i % kRun]);
    }
  });
  blocks_ = find_default_blocks(bins, sampled, features());
}

void BinnedMatrix::lay_blocks() {
  std::vector<PlannedTile> plan;
  std::vector<std::uint8_t> in_block(features(), 0);
  for (const DefaultBlock& block : blocks_) {
    plan_block(block, plan);
    for (const std::uint32_t f : block.features) {
      in_block[f] = 1;
    }
  }
  std::vector<std::uint32_t> others;
  for (std::size_t f = 0; f < features(); ++f) {
    if (in_block[f] == 0) {
      others.push_back(static_cast<std::uint32_t>(f));
    }
  }
  plan_others(others, plan);
  plan = balanced(std::move(plan));
  for (const PlannedTile& tile : plan) {  // tiles point into lists
    feature_list_.insert(feature_list_.end(), tile.features.begin(), tile.features.end());
    default_bins_.insert(default_bins_.end(), tile.default_bins.begin(),
                         tile.default_bins.end());
    default_bins_.resize(feature_list_.size());
  }
  std::size_t first = 0;
  for (const PlannedTile& tile : plan) {
    const std::size_t width = tile.features.size();
    add_tile(first, width, bins_.data() + first * rows_, nullptr, nullptr);
    if (!tile.default_bins.empty()) {
      tiles_.back().default_bins = {default_bins_.data() + first, width};
    }
    first += width;
  }
  lay_dense_slots();
}

std::vector<std::uint8_t> BinnedMatrix::block_patterns(Host& host) const {
  std::vector<std::uint8_t> patterns(rows_, 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    std::vector<const Tile*> tiles;  // of the block
    for (const std::uint32_t f : blocks_[b].features) {
      if (tiles.empty() || tiles.back() != &tile_of(f)) {
        tiles.push_back(&tile_of(f));
      }
    }
    for_each_block(host, rows_, RowCost::kHeavy,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       const bool all = std::all_of(
                           tiles.begin(), tiles.end(),
                           [&](const Tile* tile) { return is_default(*tile, i); });
                       patterns[i] |= static_cast<std::uint8_t>(std::uint8_t{all} << b);
                     }
                   });
  }
  return patterns;
}

void BinnedMatrix::find_summed_rows(Host& host) {
  summed_rows_.resize(tiles_.size());
  host.parallel_for(tiles_.size(), [&](std::size_t t) {
    Tile& tile = tiles_[t];
    if (tile.default_bins.empty()) {
      return;
    }
    const bool few = find_ranges(tile, rows_, summed_rows_[t]);
    tile.summed = few ? &summed_rows_[t] : nullptr;
  });
}

}  // namespace rankmix::data
