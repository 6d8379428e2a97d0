#include "core/data/ranked_values.h"

#include <algorithm>
#include <cmath>

namespace rankmix::data {

double midpoint(double low, double high) {
  const double mid = low + (high - low) / 2;
  return mid < high && std::isfinite(mid) ? mid : low;
}

std::uint64_t rank_of_cut(std::uint64_t size, std::uint64_t end, int bins) {
  const std::uint64_t quota = (size - end) / static_cast<std::uint64_t>(bins);
  return end + std::max<std::uint64_t>(1, quota);
}

std::vector<double> quantile_thresholds(RankedValues& values, int max_bins) {
  std::vector<double> thresholds;
  std::uint64_t end = 0;
  for (int bin = 0; bin < max_bins - 1; ++bin) {
    const Cut cut = values.cut_after(rank_of_cut(values.size(), end, max_bins - bin));
    if (cut.end >= values.size()) {
      break;
    }
    thresholds.push_back(midpoint(cut.last, cut.next));
    end = cut.end;
  }
  return thresholds;
}

std::vector<double> thresholds_between(View<const double> distinct) {
  std::vector<double> thresholds;
  for (std::size_t i = 0; i + 1 < distinct.size(); ++i) {
    thresholds.push_back(midpoint(distinct[i], distinct[i + 1]));
  }
  return thresholds;
}

SortedValues::SortedValues(View<const double> values, std::size_t zeros)
    : values_(values),
      zeros_(zeros),
      first_zero_(static_cast<std::size_t>(
          std::lower_bound(values.begin(), values.end(), 0.0) - values.begin())) {}

std::size_t SortedValues::end_of_equals(std::size_t i) const {
  const double value = at(i);
  std::size_t end = i + 1;
  if (value == 0.0) {
    end = std::max(end, first_zero_ + zeros_);
  }
  while (end < size() && at(end) == value) {
    ++end;
  }
  return end;
}

Cut SortedValues::cut_after(std::uint64_t rank) {
  const std::size_t end = end_of_equals(static_cast<std::size_t>(rank - 1));
  return {end, at(end - 1), end < size() ? at(end) : 0.0};
}

void merge_counted(std::vector<CountedValue>& values) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](const CountedValue& one) { return one.count == 0; }),
               values.end());
  std::sort(
      values.begin(), values.end(),
      [](const CountedValue& a, const CountedValue& b) { return a.value < b.value; });
  std::size_t kept = 0;
  for (const CountedValue& one : values) {
    if (kept > 0 && values[kept - 1].value == one.value) {
      values[kept - 1].count += one.count;
    } else {
      values[kept++] = one;
    }
  }
  values.resize(kept);
}

CountedRanks::CountedRanks(View<const CountedValue> values) : values_(values) {
  for (const CountedValue& one : values) {
    size_ += one.count;
  }
}

Cut CountedRanks::cut_after(std::uint64_t rank) {
  while (taken_ < rank) {
    taken_ += values_[at_++].count;
  }
  return {taken_, values_[at_ - 1].value,
          at_ < values_.size() ? values_[at_].value : 0.0};
}

}  // namespace rankmix::data
