#include "core/data/stored_bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/errors.h"
#include "core/data/bucket_ranks.h"
#include "core/data/row_content.h"
#include "core/data/shared_thresholds.h"
#include "core/data/visit_column.h"

namespace rankmix::data {
namespace {

std::vector<double> sorted_thresholds(const ColumnStore& store, std::size_t column,
                                      int max_bins) {
  StoredBlock block;
  std::vector<double> values;
  values.reserve(store.rows());
  for (std::size_t b = 0; b < store.blocks(); ++b) {
    store.read(b, column, block);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (!std::isnan(block[i])) {
        values.push_back(block[i]);
      }
    }
  }
  std::vector<double> spare(values.size());
  return find_bins({values.data(), values.size()}, spare.data(), 0, max_bins).thresholds;
}

std::vector<double> counted_thresholds(const ColumnStore& store, std::size_t column,
                                       const std::vector<std::uint64_t>& counts,
                                       int max_bins) {
  StoredBlock block;
  BucketRanks ranks;
  FewValues few(static_cast<std::size_t>(max_bins));
  do {
    BucketRanks::Tally tally(ranks);
    visit_column(store, column, counts, block, [&](double value, std::uint64_t count) {
      few.add(value);
      tally.add(value, count);
    });
    if (few.are_few()) {
      return thresholds_between(few.values());
    }
    ranks.take(tally);
  } while (ranks.open_quantiles(max_bins));
  return quantile_thresholds(ranks, max_bins);
}

// Bins a column of a block into a tile of a row-major buffer.
void bin_block(const StoredBlock& block, const FeatureBins& feature, std::size_t position,
               std::size_t width, std::uint8_t* out, std::uint64_t* marks) {
  const BinLookup bin_of(feature);
  if (!block.has_codes()) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      out[i * width] = bin_of(block.values[i]);
      marks[i] += value_hash(block.values[i], position);
    }
    return;
  }
  std::array<std::uint8_t, 256> bins{};
  std::array<std::uint64_t, 256> hashes{};
  for (std::size_t code = 0; code < block.dictionary.size(); ++code) {
    bins[code] = bin_of(block.dictionary[code]);
    hashes[code] = value_hash(block.dictionary[code], position);
  }
  for (std::size_t i = 0; i < block.rows; ++i) {
    out[i * width] = bins[block.codes[i]];
    marks[i] += hashes[block.codes[i]];
  }
}

}  // namespace

std::vector<FeatureBins> find_stored_bins(const ColumnStore& store,
                                          const std::vector<std::size_t>& columns,
                                          View<const double> weights, int max_bins,
                                          Host& host, std::size_t sorted_rows) {
  BinOptions{max_bins}.validate();
  if (!weights.empty() && weights.size() != store.rows()) {
    throw InvalidArgument("weights and features differ in the number of rows");
  }
  Reducer& reducer = host.reducer();
  const std::vector<std::uint64_t> counts = quantile_counts(weights, reducer);
  std::vector<FeatureBins> features(columns.size());
  if (!reducer.is_alone()) {
    std::vector<std::vector<double>> thresholds =
        shared_thresholds(store, columns, counts, max_bins, host);
    for (std::size_t f = 0; f < features.size(); ++f) {
      features[f].thresholds = std::move(thresholds[f]);
    }
  } else {
    const std::size_t batch = columns_at_once(store);
    for (std::size_t first = 0; first < columns.size(); first += batch) {
      host.checkpoint();
      host.parallel_for(std::min(batch, columns.size() - first), [&](std::size_t j) {
        const std::size_t column = columns[first + j];
        features[first + j].thresholds =
            counts.empty() && store.rows() <= sorted_rows
                ? sorted_thresholds(store, column, max_bins)
                : counted_thresholds(store, column, counts, max_bins);
      });
      host.progress(std::min(first + batch, columns.size()), 2 * columns.size());
    }
  }
  for (FeatureBins& feature : features) {
    feature.zero_bin = BinLookup(feature)(0.0);
  }
  mark_missing(store, columns, reducer, features);
  return features;
}

void mark_missing(const ColumnStore& store, const std::vector<std::size_t>& columns,
                  Reducer& reducer, std::vector<FeatureBins>& features) {
  std::vector<double> missing(columns.size());
  for (std::size_t f = 0; f < columns.size(); ++f) {
    missing[f] = store.missing(columns[f]) > 0 ? 1.0 : 0.0;
  }
  reducer.max({missing.data(), missing.size()});
  for (std::size_t f = 0; f < columns.size(); ++f) {
    features[f].has_missing = missing[f] > 0.0;
  }
}

std::vector<bool> constant_columns(const ColumnStore& store,
                                   const std::vector<std::size_t>& columns,
                                   Reducer& reducer) {
  // For each column: whether its values differ on this rank, one value, and minus this
  // value.
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::vector<double> largest;
  for (std::size_t column : columns) {
    const double value = store.first_value(column);
    largest.push_back(store.is_constant(column) ? 0.0 : 1.0);
    largest.push_back(std::isnan(value) ? none : value);
    largest.push_back(std::isnan(value) ? none : -value);
  }
  reducer.max({largest.data(), largest.size()});
  std::vector<bool> constant;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const double* of = largest.data() + 3 * f;
    constant.push_back(of[0] == 0.0 && (of[1] == none || of[1] == -of[2]));
  }
  return constant;
}

void bin_stored(const ColumnStore& store, const std::vector<std::size_t>& columns,
                const std::vector<FeatureBins>& features, View<std::uint64_t> marks,
                BinSink& sink, Host& host) {
  const std::vector<std::size_t> tiles = tile_starts(columns.size(), false);
  const std::size_t rows = store.rows();
  const std::size_t batch = 8;
  for (std::size_t first = 0; first < store.blocks(); first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, store.blocks() - first), [&](std::size_t j) {
      const std::size_t b = first + j;
      StoredBlock block;
      std::vector<std::uint8_t> out;
      for (std::size_t t = 0; t + 1 < tiles.size(); ++t) {
        const std::size_t width = tiles[t + 1] - tiles[t];
        out.resize(width * store.rows_of(b));
        for (std::size_t f = tiles[t]; f < tiles[t + 1]; ++f) {
          store.read(b, columns[f], block);
          bin_block(block, features[f], f, width, out.data() + (f - tiles[t]),
                    marks.data() + store.first_row(b));
        }
        sink.put(tiles[t] * rows + store.first_row(b) * width, out);
      }
    });
    host.progress(store.blocks() + std::min(first + batch, store.blocks()),
                  2 * store.blocks());
  }
}

}  // namespace rankmix::data
