// Feature values as small integers: the form in which trees read the data.
//
// Given:   a matrix of doubles, dense or sparse, NaN where a value is missing.
// Result:  for each feature increasing thresholds t_1 < t_2 < ..., and for each value x
//          the bin b = #{j : t_j < x}, so that "x <= t_j" is "b < j". A missing value
//          has a bin of its own, after the others.
// Thresholds lie half-way between neighbouring distinct values; with more distinct values
// than bins they are quantiles of the documents, each of which counts by its weight.
// Equal-width bins are not offered: they fail on the heavy tails of counts.
//
// Layout: tiles of neighbouring features, rows contiguous within a tile. The histograms
// of one tile stay in the L2 cache, and tiles are independent pieces of work. Dense data
// have tiles of at most about 36 features and a byte for each value: a listed row costs a
// cache line or two in each tile, so that narrow tiles fetch more than they use, while
// few wide ones leave threads uneven or without a tile. Where one feature is looked at at
// a time, each has a tile of its own. Tiles of sparse data list for
// each row the slots of the values that are not in the bin of 0, and are as wide as pays:
// their memory is proportional to the entries, at most 8 bytes each and 4 a row.
//
// A slot is a position in a histogram: feature f has the slots slot(f) .. slot(f + 1) -
// 1, bin b the slot slot(f) + b.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/large_pages.h"
#include "core/base/prefetch.h"
#include "core/base/views.h"

namespace rankmix::data {

constexpr int kMaxBins = 255;  // of values; the missing bin comes on top
// Of dense tiles, but for up to 3 features left over from whole fours.
constexpr std::size_t kMaxTileWidth = 36;

struct BinOptions {
  int max_bins = kMaxBins;
  // A tile for each dense feature: to read one of 36 takes as long as to read them all.
  bool single_features = false;
  // Of the rows, for quantiles; empty: all are the same.
  View<const double> weights = {};
  void validate() const;
};

struct FeatureBins {
  std::vector<double> thresholds;
  bool has_missing = false;
  int zero_bin = 0;  // the bin of the value 0

  int value_bins() const { return static_cast<int>(thresholds.size()) + 1; }
  int missing_bin() const { return value_bins(); }
  int bins() const { return value_bins() + (has_missing ? 1 : 0); }
};

// A threshold t with low <= t < high, so that it parts the two values even where no
// double lies between them.
double midpoint(double low, double high);

// Thresholds of one feature from its `values`, none of them missing, which are reordered,
// and as many zeros besides; `spare` is a buffer for as many values.
FeatureBins find_bins(View<double> values, double* spare, std::size_t zeros,
                      int max_bins);

// How often each row counts in quantiles. Whole weights are counts as they are, others
// are rounded to units of 2^-32 of the largest: sums do not depend on the order of the
// rows. Empty where all weights are the same.
std::vector<std::uint64_t> quantile_counts(View<const double> weights);

// A value, and how often it counts.
struct CountedValue {
  double value;
  std::uint64_t count;
};

// The same as find_bins() of so many copies of each value. Values are reordered.
FeatureBins find_counted_bins(std::vector<CountedValue>& values, int max_bins);

// Copies those that are not NaN to `to`.
View<double> present_values(View<const double> column, double* to);

// Looks up the bins of one feature. The search has eight steps for any value and no
// branch, so that the processor works on several values at a time.
class BinLookup {
 public:
  explicit BinLookup(const FeatureBins& bins);

  // The number of thresholds below x.
  std::uint8_t operator()(double x) const {
    std::size_t bin = 0;
    for (std::size_t step = 128; step > 0; step /= 2) {
      bin += step * static_cast<std::size_t>(thresholds_[bin + step - 1] < x);
    }
    return std::isnan(x) ? missing_ : static_cast<std::uint8_t>(bin);
  }

 private:
  std::array<double, 255> thresholds_;
  std::uint8_t missing_;
};

struct Tile {
  std::size_t first_feature;
  std::size_t width;
  std::size_t stride;  // slots from one feature to the next in a dense tile
  // Dense: bins[row * width + (feature - first_feature)]; null in a sparse tile.
  const std::uint8_t* bins;
  // Sparse: row i has slots[starts[i]] .. slots[starts[i + 1] - 1], increasing and
  // counted from the first of the tile; features without one are in the bin of 0.
  const std::uint32_t* starts;
  const std::uint32_t* slots;

  bool is_sparse() const { return bins == nullptr; }
};

// The bins of one feature, row by row; for single looks, where with_bins_of() is for
// many.
struct BinReader {
  const Tile* tile;
  std::size_t offset;   // of the feature in a dense tile
  std::uint32_t first;  // its slots in a sparse tile
  std::uint32_t end;
  std::uint8_t zero;

  // Where the slots of a row are listed is not known ahead.
  void fetch(std::size_t) const {}
  std::uint8_t operator()(std::size_t row) const {
    if (!tile->is_sparse()) {
      return tile->bins[row * tile->width + offset];
    }
    const std::uint32_t* stop = tile->slots + tile->starts[row + 1];
    const std::uint32_t* at =
        std::lower_bound(tile->slots + tile->starts[row], stop, first);
    return at != stop && *at < end ? static_cast<std::uint8_t>(*at - first) : zero;
  }
};

// The same in a dense tile.
struct DenseReader {
  const std::uint8_t* bins;  // of the feature in the first row
  std::size_t width;

  std::uint8_t operator()(std::size_t row) const { return bins[row * width]; }
  void fetch(std::size_t row) const { prefetch(bins + row * width); }
};

class BinnedMatrix {
 public:
  BinnedMatrix(MatrixView<const double> x, const BinOptions& options, Host& host);
  BinnedMatrix(const SparseView& x, const BinOptions& options, Host& host);
  BinnedMatrix(const BinnedMatrix&) = delete;  // tiles point into the matrix
  BinnedMatrix& operator=(const BinnedMatrix&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_.size(); }
  const FeatureBins& feature(std::size_t f) const { return features_[f]; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  const Tile& tile_of(std::size_t f) const { return tiles_[tile_of_[f]]; }
  // Features with more than one bin.
  std::vector<std::size_t> splittable() const;
  std::size_t slot(std::size_t f) const { return slots_[f]; }
  // Row i becomes what row order[i] was; of dense data.
  void reorder(View<const std::uint32_t> order, Host& host);
  bool is_dense() const { return !bins_.empty(); }
  // Values to add to a histogram for one row, on average.
  std::size_t values_per_row() const { return values_per_row_; }

  BinReader reader(std::size_t f) const;
  // Calls use(bin_of), where bin_of(row) is the bin of feature f and bin_of.fetch(row)
  // has it fetched.
  template <class Use>
  void with_bins_of(std::size_t f, const Use& use) const;

 private:
  void lay_slots();
  void lay_dense_slots();
  void add_tile(const Tile& tile);
  void find_dense_bins(MatrixView<const double> x, int max_bins, Host& host);
  void find_counted_dense_bins(MatrixView<const double> x, int max_bins,
                               const std::vector<std::uint64_t>& counts, Host& host);
  void fill_dense(MatrixView<const double> x, const Tile& tile, Host& host);
  void cut_sparse(const std::vector<std::size_t>& kept);
  void fill_sparse(const SparseView& x, std::size_t t);

  std::size_t rows_;
  std::size_t values_per_row_ = 0;
  std::vector<FeatureBins> features_;
  std::vector<std::size_t> slots_;
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> tile_of_;
  LargeVector<std::uint8_t> bins_;           // of dense tiles
  std::vector<std::uint32_t> entry_starts_;  // of sparse tiles
  std::vector<std::uint32_t> entry_slots_;
};

inline BinReader BinnedMatrix::reader(std::size_t f) const {
  const Tile& tile = tile_of(f);
  return {&tile, f - tile.first_feature,
          static_cast<std::uint32_t>(slots_[f] - slots_[tile.first_feature]),
          static_cast<std::uint32_t>(slots_[f + 1] - slots_[tile.first_feature]),
          static_cast<std::uint8_t>(features_[f].zero_bin)};
}

template <class Use>
void BinnedMatrix::with_bins_of(std::size_t f, const Use& use) const {
  const Tile& tile = tile_of(f);
  if (tile.is_sparse()) {
    use(reader(f));
    return;
  }
  const std::uint8_t* bins = tile.bins + (f - tile.first_feature);
  use(DenseReader{bins, tile.width});
}

}  // namespace rankmix::data
