#include "core/data/bins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/sort.h"

namespace rankmix::data {

namespace {

// The distinct values in increasing order, or an empty vector if there are more than
// `limit`. Binary search in so few values costs less than sorting all values.
std::vector<double> few_distinct(View<const double> values, std::size_t zeros,
                                 std::size_t limit) {
  std::vector<double> distinct;
  if (zeros > 0) {
    distinct.push_back(0.0);
  }
  for (double x : values) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), x);
    if (at != distinct.end() && *at == x) {
      continue;
    }
    if (distinct.size() == limit) {
      return {};
    }
    distinct.insert(at, x);
  }
  return distinct;
}

// The first feature of each dense tile, then the number of features. Widths are multiples
// of four features ("fours"), because histograms process four features at a time. The
// second half of the tiles has the same widths as the first half. So two threads that
// start at a half each have equal work. Narrow tiles come last in a half, so that a
// thread that finishes early waits only for a short task. If the number of fours is odd,
// the last tile is four features narrower. The last tile also gets the remaining
// features, at most three.
std::vector<std::size_t> dense_tiles(std::size_t features) {
  constexpr std::size_t widest = kMaxTileWidth / 4;
  // Even narrower tiles would fetch many more bytes than they use.
  constexpr std::size_t narrowest = 3;
  const std::size_t fours = features / 4;
  std::size_t left = (fours + 1) / 2;  // fours of each half
  std::vector<std::size_t> half;       // widths of its tiles
  for (std::size_t tiles = (left + widest - 1) / widest; tiles > 0; --tiles) {
    half.push_back(std::min(widest, left - narrowest * (tiles - 1)));
    left -= half.back();
  }
  std::vector<std::size_t> first = {0};
  for (int i = 0; i < 2; ++i) {
    for (std::size_t width : half) {
      first.push_back(std::min(4 * fours, first.back() + 4 * width));
    }
  }
  // With fewer than two fours, there is only one tile.
  first.resize(fours == 1 ? 2 : std::max<std::size_t>(2, first.size()));
  first.back() = features;
  return first;
}

// Like dense_tiles(), for BinOptions::single_features: each feature is a tile.
std::vector<std::size_t> single_tiles(std::size_t features) {
  std::vector<std::size_t> first(features + 1);
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;
}

}  // namespace

std::vector<std::size_t> tile_starts(std::size_t features, bool single_features) {
  return single_features ? single_tiles(features) : dense_tiles(features);
}

View<double> present_values(View<const double> column, double* to) {
  const double* end = std::copy_if(column.begin(), column.end(), to,
                                   [](double x) { return !std::isnan(x); });
  return {to, static_cast<std::size_t>(end - to)};
}

void BinOptions::validate() const {
  if (max_bins < 2 || max_bins > kMaxBins) {
    throw InvalidArgument("max_bins must be between 2 and 255");
  }
}

FeatureBins find_bins(View<double> values, double* spare, std::size_t zeros,
                      int max_bins) {
  FeatureBins bins;
  const View<const double> known(values.data(), values.size());
  const std::vector<double> distinct =
      few_distinct(known, zeros, static_cast<std::size_t>(max_bins));
  if (distinct.empty() && !values.empty()) {
    sort_doubles(values, spare);
    SortedValues sorted(known, zeros);
    bins.thresholds = quantile_thresholds(sorted, max_bins);
  } else {
    bins.thresholds = thresholds_between(distinct);
  }
  bins.zero_bin = BinLookup(bins)(0.0);
  return bins;
}

BinLookup::BinLookup(const FeatureBins& bins)
    : missing_(static_cast<std::uint8_t>(bins.missing_bin())) {
  thresholds_.fill(std::numeric_limits<double>::infinity());
  std::copy(bins.thresholds.begin(), bins.thresholds.end(), thresholds_.begin());
}

BinnedMatrix::BinnedMatrix(MatrixView<const double> x, const BinOptions& options,
                           Host& host)
    : rows_(x.rows()),
      values_per_row_(x.cols()),
      features_(x.cols()),
      bins_(x.rows() * x.cols()) {
  options.validate();
  if (!options.weights.empty() && options.weights.size() != rows_) {
    throw InvalidArgument("weights and features differ in the number of rows");
  }
  const std::vector<std::uint64_t> counts = quantile_counts(options.weights);
  if (counts.empty()) {
    find_dense_bins(x, options.max_bins, host);
  } else {
    find_counted_dense_bins(x, options.max_bins, counts, host);
  }
  if (!options.single_features && rows_ >= options.min_rows_of_blocks) {
    find_blocks(x, host);
  }
  if (has_blocks()) {
    lay_blocks();
  } else {
    lay_dense_tiles(options.single_features, bins_.data());
  }
  for (const Tile& tile : tiles_) {
    host.checkpoint();
    fill_dense(x, tile, host);
  }
}

BinnedMatrix::BinnedMatrix(std::size_t rows, std::vector<FeatureBins> features,
                           const std::uint8_t* bins, std::shared_ptr<const void> owner)
    : rows_(rows),
      values_per_row_(features.size()),
      features_(std::move(features)),
      owner_(std::move(owner)) {
  if (bins == nullptr) {
    bins_.resize(rows_ * features_.size());
    bins = bins_.data();
  }
  lay_dense_tiles(false, bins);
}

void BinnedMatrix::lay_dense_tiles(bool single_features, const std::uint8_t* bins) {
  // Only sparse tiles have no bins. A rank without rows has no memory for bins, either.
  static const std::uint8_t no_rows = 0;
  if (rows_ == 0) {
    bins = &no_rows;
  }
  const std::vector<std::size_t> starts = tile_starts(features_.size(), single_features);
  list_features_in_order();
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    const std::size_t first = starts[t];
    add_tile(first, starts[t + 1] - first, bins + first * rows_, nullptr, nullptr);
  }
  lay_dense_slots();
}

// Features are processed in batches, one sort buffer for each feature of a batch. The
// user can interrupt between batches.
void BinnedMatrix::find_dense_bins(MatrixView<const double> x, int max_bins, Host& host) {
  const std::size_t batch = features_of_batch(host);
  SortBuffers buffers(std::min(batch, x.cols()), rows_);
  for (std::size_t first = 0; first < x.cols(); first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, x.cols() - first), [&](std::size_t j) {
      const SortBuffers::Lease buffer(buffers);
      const View<double> values =
          present_values({x.col(first + j), rows_}, buffer.values());
      FeatureBins& feature = features_[first + j];
      feature = find_bins(values, buffer.spare(), 0, max_bins);
      feature.has_missing = values.size() < rows_;
    });
  }
}

void BinnedMatrix::fill_dense(MatrixView<const double> x, const Tile& tile, Host& host) {
  std::uint8_t* out = own_bins_of(tile);
  for_each_block(host, rows_, RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t j = 0; j < tile.width(); ++j) {
                     const std::size_t f = tile.features[j];
                     const double* column = x.col(f);
                     const BinLookup bin_of(features_[f]);
                     for (std::size_t i = begin; i < end; ++i) {
                       out[i * tile.width() + j] = bin_of(column[i]);
                     }
                   }
                 });
}

std::vector<std::size_t> BinnedMatrix::splittable() const {
  std::vector<std::size_t> found;
  for (std::size_t f = 0; f < features(); ++f) {
    if (features_[f].bins() > 1) {
      found.push_back(f);
    }
  }
  return found;
}

// The number of slots of a feature is made odd. If the strides were powers of two, all
// features of a row would be in the same cache sets.
void BinnedMatrix::lay_sparse_slots() {
  for (const FeatureBins& feature : features_) {
    slots_.push_back(slot_count_);
    slot_count_ += static_cast<std::size_t>(feature.bins()) | 1U;
    slot_ends_.push_back(slot_count_);
  }
}

// All features of a dense tile have the same number of slots.
void BinnedMatrix::lay_dense_slots() {
  slots_.resize(features_.size());
  slot_ends_.resize(features_.size());
  for (Tile& tile : tiles_) {
    tile.stride = 1;
    for (const std::size_t f : tile.features) {
      const auto own = static_cast<std::size_t>(features_[f].bins()) | 1U;
      tile.stride = std::max(tile.stride, own);
    }
    for (const std::size_t f : tile.features) {
      slots_[f] = slot_count_;
      slot_count_ += tile.stride;
      slot_ends_[f] = slot_count_;
    }
  }
}

// Moves up to `at_once` features at a time, to limit the memory for the copy.
void BinnedMatrix::reorder(View<const std::uint32_t> order, Host& host) {
  constexpr std::size_t at_once = 16;
  if (bins_.empty() || order.size() != rows_) {
    throw InvalidArgument("only the rows of dense data can be brought in another order");
  }
  LargeVector<std::uint8_t> moved(at_once * rows_);
  for (const Tile& tile : tiles_) {
    for (std::size_t f = 0; f < tile.width(); f += at_once) {
      const std::size_t some = std::min(at_once, tile.width() - f);
      std::uint8_t* bins = own_bins_of(tile) + f;
      auto bins_of = [&](std::size_t row) { return bins + tile.width() * row; };
      for_each_piece(host, rows_, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          prefetch(bins_of(order[std::min(i + kPrefetchRows, rows_ - 1)]));
          std::copy_n(bins_of(order[i]), some, moved.data() + some * i);
        }
      });
      for_each_piece(host, rows_, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          std::copy_n(moved.data() + some * i, some, bins_of(i));
        }
      });
    }
  }
  find_summed_rows(host);
}

void BinnedMatrix::list_features_in_order() {
  feature_list_.resize(features_.size());
  std::iota(feature_list_.begin(), feature_list_.end(), 0U);
}

void BinnedMatrix::add_tile(std::size_t first, std::size_t width,
                            const std::uint8_t* bins, const std::uint32_t* starts,
                            const std::uint32_t* slots) {
  const View<const std::uint32_t> features(feature_list_.data() + first, width);
  tile_of_.resize(features_.size());
  column_of_.resize(features_.size());
  for (std::size_t j = 0; j < width; ++j) {
    tile_of_[features[j]] = static_cast<std::uint32_t>(tiles_.size());
    column_of_[features[j]] = static_cast<std::uint32_t>(j);
  }
  tiles_.push_back({features, 0, bins, starts, slots});
}

}  // namespace rankmix::data
