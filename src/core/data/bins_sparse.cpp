// Bins of a sparse matrix, in time and memory proportional to its entries.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "core/base/errors.h"
#include "core/data/bins.h"

namespace rankmix::data {
namespace {

// Number of features between two checks for an interrupt.
constexpr std::size_t kBatchFeatures = 256;
// A tile ends when it has kEntriesPerRow entries a row on average. It also ends when it
// has one entry a row on average and its histogram fills the cache. With fewer entries a
// row, finding the rows would take more time than a smaller histogram saves.
constexpr std::size_t kEntriesPerRow = 4;
constexpr std::size_t kCachedSlots = 65536;

// The bins of one feature with weighted rows. Rows without an entry have the value 0.
// `all` is the sum of all counts.
FeatureBins counted_bins_of(const SparseView& x, std::size_t f, int max_bins,
                            const std::vector<std::uint64_t>& counts, std::uint64_t all) {
  const View<const double> entries = x.values(f);
  const View<const int> rows = x.row_of(f);
  std::vector<CountedValue> values;
  values.reserve(entries.size() + 1);
  bool has_missing = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t count = counts[static_cast<std::size_t>(rows[i])];
    all -= count;
    if (std::isnan(entries[i])) {
      has_missing = true;
    } else {
      values.push_back({entries[i], count});
    }
  }
  values.push_back({0.0, all});
  FeatureBins bins = find_counted_bins(values, max_bins);
  bins.has_missing = has_missing;
  return bins;
}

FeatureBins bins_of(const SparseView& x, std::size_t f, int max_bins) {
  const View<const double> entries = x.values(f);
  const std::unique_ptr<double[]> buffer(new double[2 * entries.size()]);
  const View<double> values = present_values(entries, buffer.get());
  const bool has_missing = values.size() < entries.size();
  FeatureBins bins = find_bins(values, buffer.get() + entries.size(),
                               x.rows() - entries.size(), max_bins);
  bins.has_missing = has_missing;
  return bins;
}

// The number of entries that are not in the bin of 0.
std::size_t count_kept(View<const double> values, const FeatureBins& bins) {
  const BinLookup bin_of(bins);
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(),
                    [&](double value) { return bin_of(value) != bins.zero_bin; }));
}

}  // namespace

BinnedMatrix::BinnedMatrix(const SparseView& x, const BinOptions& options, Host& host)
    : rows_(x.rows()), features_(x.cols()) {
  options.validate();
  if (!options.weights.empty() && options.weights.size() != rows_) {
    throw InvalidArgument("weights and features differ in the number of rows");
  }
  const std::vector<std::uint64_t> counts = quantile_counts(options.weights);
  const std::uint64_t all =
      std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::size_t> kept(x.cols());
  for (std::size_t first = 0; first < x.cols(); first += kBatchFeatures) {
    host.checkpoint();
    host.parallel_for(std::min(kBatchFeatures, x.cols() - first), [&](std::size_t j) {
      const std::size_t f = first + j;
      features_[f] = counts.empty()
                         ? bins_of(x, f, options.max_bins)
                         : counted_bins_of(x, f, options.max_bins, counts, all);
      kept[first + j] = count_kept(x.values(first + j), features_[first + j]);
    });
  }
  lay_sparse_slots();
  cut_sparse(kept);
  host.parallel_for(tiles_.size(), [&](std::size_t t) { fill_sparse(x, t); });
}

// Creates the tiles and allocates their entries. `kept` has the number of entries of each
// feature.
void BinnedMatrix::cut_sparse(const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> ends;     // last feature + 1 of each tile
  std::vector<std::size_t> entries;  // of each tile
  std::size_t in_tile = 0;
  std::size_t all = 0;
  std::size_t first = 0;
  for (std::size_t f = 0; f < kept.size(); ++f) {
    in_tile += kept[f];
    const std::size_t slots = slot_ends_[f] - slots_[first];
    if (in_tile >= kEntriesPerRow * rows_ ||
        (in_tile >= rows_ && slots >= kCachedSlots) || f + 1 == kept.size()) {
      ends.push_back(f + 1);
      entries.push_back(in_tile);
      all += in_tile;
      in_tile = 0;
      first = f + 1;
    }
  }
  if (all > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument("a sparse matrix has more than 2^32 entries");
  }
  values_per_row_ = all / rows_ + 1;
  list_features_in_order();
  entry_starts_.resize(ends.size() * (rows_ + 1));
  entry_slots_.resize(all);
  std::size_t entry = 0;
  first = 0;
  for (std::size_t t = 0; t < ends.size(); ++t) {
    std::uint32_t* starts = entry_starts_.data() + t * (rows_ + 1);
    add_tile(first, ends[t] - first, nullptr, starts, entry_slots_.data());
    starts[0] = static_cast<std::uint32_t>(entry);
    entry += entries[t];
    first = ends[t];
  }
}

void BinnedMatrix::fill_sparse(const SparseView& x, std::size_t t) {
  const Tile& tile = tiles_[t];
  std::uint32_t* starts = entry_starts_.data() + t * (rows_ + 1);
  // Calls keep(row, slot) for each entry that is stored, feature by feature.
  auto each = [&](const auto& keep) {
    for (const std::size_t f : tile.features) {
      const BinLookup bin_of(features_[f]);
      const View<const double> values = x.values(f);
      const View<const int> rows = x.row_of(f);
      const std::size_t slot = slots_[f] - slots_[tile.features[0]];
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint8_t bin = bin_of(values[i]);
        if (bin != features_[f].zero_bin) {
          keep(static_cast<std::size_t>(rows[i]), static_cast<std::uint32_t>(slot + bin));
        }
      }
    }
  };
  const std::uint32_t first = starts[0];
  std::fill(starts, starts + rows_ + 1, 0U);
  // Counting sort by row. The entries of row i are counted in starts[i + 2]. After the
  // cumulative sums, starts[i + 1] is the start of row i. Filling row i then moves
  // starts[i + 1] to the end of row i.
  each([&](std::size_t row, std::uint32_t) {
    if (row + 2 <= rows_) {
      ++starts[row + 2];
    }
  });
  starts[0] = starts[1] = first;
  for (std::size_t i = 2; i <= rows_; ++i) {
    starts[i] += starts[i - 1];
  }
  each([&](std::size_t row, std::uint32_t slot) {
    entry_slots_[starts[row + 1]++] = slot;
  });
}

}  // namespace rankmix::data
