// Feature values as small integers: the form in which trees read the data.
//
// Given:   a column-major matrix of doubles, NaN where a value is missing.
// Result:  for each feature increasing thresholds t_1 < t_2 < ..., and for each value x
//          the bin b = #{j : t_j < x}, so that "x <= t_j" is "b < j". A missing value
//          has a bin of its own, after the others.
// Thresholds lie half-way between neighbouring distinct values; with more distinct values
// than bins they are quantiles. Equal-width bins are not offered: they fail on the heavy
// tails of counts.
//
// Layout: tiles of 16 features, rows contiguous within a tile. The histograms of one tile
// stay in the L2 cache, and tiles are independent pieces of work.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

constexpr int kMaxBins = 255;  // of values; the missing bin comes on top
constexpr std::size_t kTileWidth = 16;

struct BinOptions {
  int max_bins = kMaxBins;
  void validate() const;
};

struct FeatureBins {
  std::vector<double> thresholds;
  bool has_missing = false;

  int value_bins() const { return static_cast<int>(thresholds.size()) + 1; }
  int missing_bin() const { return value_bins(); }
  int bins() const { return value_bins() + (has_missing ? 1 : 0); }
};

// Thresholds of one feature; `values`, none of them missing, are reordered.
FeatureBins find_bins(std::vector<double>& values, int max_bins);

struct Tile {
  std::size_t first_feature;
  std::size_t width;
  const std::uint8_t* bins;  // bins[row * width + (feature - first_feature)]
};

class BinnedMatrix {
 public:
  BinnedMatrix(MatrixView<const double> x, const BinOptions& options, Host& host);
  BinnedMatrix(const BinnedMatrix&) = delete;  // tiles point into the matrix
  BinnedMatrix& operator=(const BinnedMatrix&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_.size(); }
  const FeatureBins& feature(std::size_t f) const { return features_[f]; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  const Tile& tile_of(std::size_t f) const { return tiles_[f / kTileWidth]; }

 private:
  std::size_t rows_;
  std::vector<FeatureBins> features_;
  std::vector<std::uint8_t> bins_;
  std::vector<Tile> tiles_;
};

}  // namespace rankmix::data
