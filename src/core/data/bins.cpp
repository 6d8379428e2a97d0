#include "core/data/bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/sort.h"

namespace rankmix::data {
namespace {

// A threshold t with low <= t < high, so that it parts the two values even where no
// double lies between them.
double midpoint(double low, double high) {
  const double mid = low + (high - low) / 2;
  return mid < high && std::isfinite(mid) ? mid : low;
}

// Cuts sorted values with more than max_bins distinct ones: each bin takes its share of
// what is left, and never cuts through equal values.
std::vector<double> quantile_thresholds(const std::vector<double>& sorted, int max_bins) {
  std::vector<double> thresholds;
  std::size_t pos = 0;
  for (int bin = 0; bin < max_bins - 1; ++bin) {
    const std::size_t left = sorted.size() - pos;
    const std::size_t share = left / static_cast<std::size_t>(max_bins - bin);
    std::size_t end = pos + std::max<std::size_t>(1, share);
    while (end < sorted.size() && sorted[end] == sorted[end - 1]) {
      ++end;
    }
    if (end >= sorted.size()) {
      break;
    }
    thresholds.push_back(midpoint(sorted[end - 1], sorted[end]));
    pos = end;
  }
  return thresholds;
}

std::vector<double> present_values(View<const double> column) {
  std::vector<double> values;
  values.reserve(column.size());
  std::copy_if(column.begin(), column.end(), std::back_inserter(values),
               [](double x) { return !std::isnan(x); });
  return values;
}

// The distinct values in increasing order, or nothing if there are more than `limit`.
// Looking a value up among so few costs less than sorting all.
std::vector<double> few_distinct(const std::vector<double>& values, std::size_t limit) {
  std::vector<double> distinct;
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

// Looks up the bins of one feature. The search has eight steps for any value and no
// branch, so that the processor works on several values at a time.
class BinLookup {
 public:
  explicit BinLookup(const FeatureBins& bins)
      : missing_(static_cast<std::uint8_t>(bins.missing_bin())) {
    thresholds_.fill(std::numeric_limits<double>::infinity());
    std::copy(bins.thresholds.begin(), bins.thresholds.end(), thresholds_.begin());
  }

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

}  // namespace

void BinOptions::validate() const {
  if (max_bins < 2 || max_bins > kMaxBins) {
    throw InvalidArgument("max_bins must be between 2 and 255");
  }
}

FeatureBins find_bins(std::vector<double>& values, int max_bins) {
  FeatureBins bins;
  const std::vector<double> distinct =
      few_distinct(values, static_cast<std::size_t>(max_bins));
  if (distinct.empty() && !values.empty()) {
    sort_doubles(values);
    bins.thresholds = quantile_thresholds(values, max_bins);
  }
  for (std::size_t i = 0; i + 1 < distinct.size(); ++i) {
    bins.thresholds.push_back(midpoint(distinct[i], distinct[i + 1]));
  }
  return bins;
}

BinnedMatrix::BinnedMatrix(MatrixView<const double> x, const BinOptions& options,
                           Host& host)
    : rows_(x.rows()), features_(x.cols()), bins_(x.rows() * x.cols()) {
  options.validate();
  for (std::size_t first = 0; first < x.cols(); first += kTileWidth) {
    const std::size_t width = std::min(kTileWidth, x.cols() - first);
    tiles_.push_back({first, width, bins_.data() + first * rows_});
  }
  // A few features at a time, so that an interrupt is seen between the batches.
  for (const Tile& tile : tiles_) {
    host.checkpoint();
    host.parallel_for(tile.width, [&](std::size_t j) {
      const std::size_t f = tile.first_feature + j;
      const View<const double> column(x.col(f), rows_);
      std::vector<double> values = present_values(column);
      const bool has_missing = values.size() < column.size();
      features_[f] = find_bins(values, options.max_bins);
      features_[f].has_missing = has_missing;
    });
    std::uint8_t* out = bins_.data() + tile.first_feature * rows_;
    for_each_block(host, rows_, RowCost::kHeavy,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t j = 0; j < tile.width; ++j) {
                       const std::size_t f = tile.first_feature + j;
                       const double* column = x.col(f);
                       const BinLookup bin_of(features_[f]);
                       for (std::size_t i = begin; i < end; ++i) {
                         out[i * tile.width + j] = bin_of(column[i]);
                       }
                     }
                   });
  }
}

}  // namespace rankmix::data
