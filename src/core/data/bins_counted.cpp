// Bins of weighted values. The thresholds are those of `count` copies of each value.
//
// Values are sorted with their counts, and equal values are merged. The cost is O(n log
// n) for n values, independent of the counts.
#include <algorithm>
#include <cmath>

#include "core/data/bins.h"

namespace rankmix::data {
namespace {

// The largest count. With larger counts, the sum over 2^31 rows could overflow 64 bits.
constexpr double kMaxCount = 4294967296.0;

bool are_counts(View<const double> weights) {
  return std::all_of(weights.begin(), weights.end(),
                     [](double w) { return w <= kMaxCount && w == std::floor(w); });
}

}  // namespace

std::vector<std::uint64_t> quantile_counts(View<const double> weights, Reducer& reducer) {
  if (weights.empty()) {
    return {};
  }
  // The largest weight, minus the smallest weight, and whether some weights are not
  // counts.
  double of_all[3] = {0.0, -weights[0], are_counts(weights) ? 0.0 : 1.0};
  for (double w : weights) {
    of_all[0] = std::max(of_all[0], w);
    of_all[1] = std::max(of_all[1], -w);
  }
  reducer.max({of_all, 3});
  const double largest = of_all[0];
  if (largest == -of_all[1] || !(largest > 0.0)) {
    return {};
  }
  const bool counts = of_all[2] == 0.0;
  std::vector<std::uint64_t> all;
  all.reserve(weights.size());
  for (double w : weights) {
    all.push_back(
        static_cast<std::uint64_t>(counts ? w : std::ceil(w / largest * kMaxCount)));
  }
  return all;
}

FeatureBins find_counted_bins(std::vector<CountedValue>& values, int max_bins) {
  merge_counted(values);
  FeatureBins bins;
  if (values.size() > static_cast<std::size_t>(max_bins)) {
    CountedRanks ranks(values);
    bins.thresholds = quantile_thresholds(ranks, max_bins);
  } else {
    std::vector<double> distinct(values.size());
    std::transform(values.begin(), values.end(), distinct.begin(),
                   [](const CountedValue& one) { return one.value; });
    bins.thresholds = thresholds_between(distinct);
  }
  bins.zero_bin = BinLookup(bins)(0.0);
  return bins;
}

// Features are processed in batches. One thread allocates the buffers (see SortBuffers
// for the reason).
void BinnedMatrix::find_counted_dense_bins(MatrixView<const double> x, int max_bins,
                                           const std::vector<std::uint64_t>& counts,
                                           Host& host) {
  const std::size_t batch = features_of_batch(host);
  std::vector<std::vector<CountedValue>> buffers(std::min(batch, x.cols()));
  for (std::vector<CountedValue>& buffer : buffers) {
    buffer.reserve(rows_);
  }
  for (std::size_t first = 0; first < x.cols(); first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, x.cols() - first), [&](std::size_t j) {
      const double* column = x.col(first + j);
      std::vector<CountedValue>& values = buffers[j];
      values.clear();
      for (std::size_t i = 0; i < rows_; ++i) {
        if (!std::isnan(column[i])) {
          values.push_back({column[i], counts[i]});
        }
      }
      const bool has_missing = values.size() < rows_;
      features_[first + j] = find_counted_bins(values, max_bins);
      features_[first + j].has_missing = has_missing;
    });
  }
}

}  // namespace rankmix::data
