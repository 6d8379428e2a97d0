// Feature values as small integers (bins), the form in which trees read the data.
//
// Given:   a matrix of doubles, dense or sparse; NaN marks a missing value.
// Result:  for each feature increasing thresholds t_1 < t_2 < ..., and for each value x
//          the bin b = #{j : t_j < x}, so that "x <= t_j" is "b < j". Missing values
//          have their own bin after all others.
// Thresholds lie half-way between neighbouring distinct values. If there are more
// distinct values than bins, thresholds are quantiles of the documents, weighted by the
// document weights. Equal-width bins are not offered, because they fail on the heavy
// tails of counts.
//
// Layout: a tile holds neighbouring features, with the bins of a row next to each other.
// The histograms of one tile fit in the L2 cache, and tiles are independent tasks. Dense
// data have tiles of at most about 36 features and one byte for each value. If rows are
// read by a list, each row costs one or two cache lines in each tile. So narrow tiles
// fetch bytes that are not used. But with few wide tiles, some threads have no work.
// Algorithms that read one feature at a time use one tile for each feature. A block is a
// set of features that mostly have their default bins in the same rows. A block has its
// own tiles (default_blocks.h). Rows can be sorted by the blocks that have their default
// bins. Then whole ranges of rows are left out of the sums. A tile of sparse data lists
// for each row the slots of the values that are not in the bin of 0. Its width balances
// the row pointers (4 bytes per row) against the entries (4 bytes each), so memory is at
// most 8 bytes per entry and 4 bytes per row.
//
// A slot is a position in a histogram. Feature f has the slots slot(f) .. slot_end(f) - 1,
// and bin b of feature f has the slot slot(f) + b. The features of a tile have neighbouring
// slots, in the order of the tile.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/large_pages.h"
#include "core/base/prefetch.h"
#include "core/base/views.h"
#include "core/data/default_blocks.h"
#include "core/data/ranked_values.h"

namespace rankmix::data {

constexpr int kMaxBins = 255;  // without the bin of missing values
// Largest width of a dense tile. The last tile may have up to 3 more features.
constexpr std::size_t kMaxTileWidth = 36;

struct BinOptions {
  int max_bins = kMaxBins;
  // One tile for each dense feature. In a tile of 36 features, reading one feature is as
  // slow as reading all of them.
  bool single_features = false;
  // Row weights for the quantiles. If empty, all rows have the same weight.
  View<const double> weights = {};
  // Number of rows from which dense features are laid out in blocks. Fewer rows are not
  // sorted.
  std::size_t min_rows_of_blocks = std::size_t{1} << 14;
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

// The bins of one feature with the given `values` and `zeros` additional zeros. No value
// may be missing. `values` is reordered; `spare` is a buffer of the same size.
FeatureBins find_bins(View<double> values, double* spare, std::size_t zeros,
                      int max_bins);

// The count of each row for quantiles. If all weights are whole numbers of at most 2^32,
// the counts are the weights. Otherwise weights are rounded up to units of 2^-32 of the
// largest weight. Sums of counts are exact, so they do not depend on the order of the
// rows. The result is empty if all weights are the same. The weights of all ranks of
// `reducer` determine the unit.
std::vector<std::uint64_t> quantile_counts(View<const double> weights,
                                           Reducer& reducer = single_rank());

// The same as find_bins() with `count` copies of each value. `values` is reordered.
FeatureBins find_counted_bins(std::vector<CountedValue>& values, int max_bins);

// Copies the values that are not NaN to `to`, and returns a view of the copies.
View<double> present_values(View<const double> column, double* to);

// Finds the bins of the values of one feature. The binary search has eight steps for any
// value and no branch, so that the processor overlaps the searches of several values.
class BinLookup {
 public:
  explicit BinLookup(const FeatureBins& bins);

  // The number of thresholds below x, or the missing bin if x is NaN.
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

struct RowRange {
  std::uint32_t begin;
  std::uint32_t end;
};

struct Tile {
  View<const std::uint32_t> features;  // in increasing order
  std::size_t stride;                  // slots between features of a dense tile
  // Dense: bins[row * width() + j] for features[j]; null in a sparse tile.
  const std::uint8_t* bins;
  // Sparse: row i has slots[starts[i]] .. slots[starts[i + 1] - 1], in increasing order.
  // Slots are relative to the first slot of the tile. Features that are not listed are in
  // the bin of 0.
  const std::uint32_t* starts;
  const std::uint32_t* slots;

  // Only for the features of a block, else empty.
  View<const std::uint8_t> default_bins = {};
  // Ranges of rows, in increasing order. In all other rows, all features of the block
  // have their default bins. Null: there may be no such rows.
  const std::vector<RowRange>* summed = nullptr;

  std::size_t width() const { return features.size(); }
  bool is_sparse() const { return bins == nullptr; }
};

// Reads the bin of one feature in any row, in dense or sparse tiles. Use it for a few
// rows. For many rows, with_bins_of() is faster.
struct BinReader {
  const Tile* tile;
  std::size_t offset;   // column of the feature in a dense tile
  std::uint32_t first;  // first slot of the feature in a sparse tile
  std::uint32_t end;
  std::uint8_t zero;

  void fetch(std::size_t row) const {
    if (tile->is_sparse()) {
      prefetch(tile->slots + tile->starts[row]);
    }
  }
  std::uint8_t operator()(std::size_t row) const {
    if (!tile->is_sparse()) {
      return tile->bins[row * tile->width() + offset];
    }
    const std::uint32_t* stop = tile->slots + tile->starts[row + 1];
    const std::uint32_t* at = tile->slots + tile->starts[row];
    // A binary search without branches, because branches on slots would be mispredicted.
    for (std::ptrdiff_t size = stop - at; size > 0;) {
      const std::ptrdiff_t half = (size + 1) / 2;
      at += at[half - 1] < first ? half : 0;
      size -= half;
    }
    return at != stop && *at < end ? static_cast<std::uint8_t>(*at - first) : zero;
  }
};

// Reads the bin of one feature in a dense tile.
struct DenseReader {
  const std::uint8_t* bins;  // bin of the feature in row 0
  std::size_t width;

  std::uint8_t operator()(std::size_t row) const { return bins[row * width]; }
  void fetch(std::size_t row) const { prefetch(bins + row * width); }
};

// The first feature of each dense tile, then the number of features.
std::vector<std::size_t> tile_starts(std::size_t features, bool single_features);

class BinnedMatrix {
 public:
  BinnedMatrix(MatrixView<const double> x, const BinOptions& options, Host& host);
  BinnedMatrix(const SparseView& x, const BinOptions& options, Host& host);
  // Dense bins that exist already: tile after tile, each with the bins of a row next to
  // each other. `owner` keeps their memory. If `bins` is null, the caller fills
  // own_bins().
  BinnedMatrix(std::size_t rows, std::vector<FeatureBins> features,
               const std::uint8_t* bins = nullptr,
               std::shared_ptr<const void> owner = nullptr);
  BinnedMatrix(const BinnedMatrix&) = delete;  // tiles point into the matrix
  BinnedMatrix& operator=(const BinnedMatrix&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_.size(); }
  const FeatureBins& feature(std::size_t f) const { return features_[f]; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  const Tile& tile_of(std::size_t f) const { return tiles_[tile_of_[f]]; }
  // The features with more than one bin.
  std::vector<std::size_t> splittable() const;
  std::size_t slot(std::size_t f) const { return slots_[f]; }
  std::size_t slot_end(std::size_t f) const { return slot_ends_[f]; }
  std::size_t slots() const { return slot_count_; }  // of all features
  // Reorders the rows of dense data: row i becomes the former row order[i]. Finds the
  // ranges of rows that must be summed in each tile.
  void reorder(View<const std::uint32_t> order, Host& host);
  bool has_blocks() const { return !blocks_.empty(); }
  // For each row a number whose bits are the blocks that have their default bins. If rows
  // are sorted by this number, there are few ranges.
  std::vector<std::uint8_t> block_patterns(Host& host) const;
  bool is_dense() const { return tiles_.empty() || !tiles_.front().is_sparse(); }
  std::uint8_t* own_bins() { return bins_.data(); }
  std::uint8_t* own_bins_of(const Tile& tile) {
    return bins_.data() + (tile.bins - bins_.data());
  }
  // Mean number of bins that one row adds to a histogram. Estimates of cost use this
  // number.
  std::size_t values_per_row() const { return values_per_row_; }

  BinReader reader(std::size_t f) const;
  // Calls use(bin_of). bin_of(row) is the bin of feature f, and bin_of.fetch(row)
  // prefetches it.
  template <class Use>
  void with_bins_of(std::size_t f, const Use& use) const;

 private:
  void list_features_in_order();
  void lay_sparse_slots();
  void lay_dense_slots();
  void lay_dense_tiles(bool single_features, const std::uint8_t* bins);
  void find_blocks(MatrixView<const double> x, Host& host);
  void lay_blocks();
  void find_summed_rows(Host& host);
  // `width` features of feature_list_ from `first` on.
  void add_tile(std::size_t first, std::size_t width, const std::uint8_t* bins,
                const std::uint32_t* starts, const std::uint32_t* slots);
  // Few features at a time, so that the user can interrupt, but one for each thread.
  static std::size_t features_of_batch(const Host& host) {
    return std::max(std::size_t{8}, host.threads());
  }
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
  std::vector<std::size_t> slot_ends_;
  std::size_t slot_count_ = 0;
  std::vector<DefaultBlock> blocks_;
  std::vector<std::uint32_t> feature_list_;  // of the tiles, one after the other
  std::vector<std::uint8_t> default_bins_;   // of feature_list_, if there are blocks
  std::vector<std::vector<RowRange>> summed_rows_;  // of each tile
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> tile_of_;       // of each feature
  std::vector<std::uint32_t> column_of_;     // of each feature, in its tile
  LargeVector<std::uint8_t> bins_;           // bins of dense tiles
  std::shared_ptr<const void> owner_;        // of bins that are not in bins_
  std::vector<std::uint32_t> entry_starts_;  // of sparse tiles
  std::vector<std::uint32_t> entry_slots_;
};

inline BinReader BinnedMatrix::reader(std::size_t f) const {
  const Tile& tile = tile_of(f);
  const std::size_t first = slots_[tile.features[0]];
  return {&tile, column_of_[f], static_cast<std::uint32_t>(slots_[f] - first),
          static_cast<std::uint32_t>(slot_ends_[f] - first),
          static_cast<std::uint8_t>(features_[f].zero_bin)};
}

template <class Use>
void BinnedMatrix::with_bins_of(std::size_t f, const Use& use) const {
  const Tile& tile = tile_of(f);
  if (tile.is_sparse()) {
    use(reader(f));
    return;
  }
  use(DenseReader{tile.bins + column_of_[f], tile.width()});
}

}  // namespace rankmix::data
