// Values by their ranks, from which quantile thresholds follow.
//
// quantile_thresholds() needs only the value at a rank and the next larger value. So the
// values may be a sorted array, values with counts, or counts by intervals
// (core/data/bucket_ranks.h). All of them give the same thresholds, bit for bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

// A cut between two neighbouring distinct values.
struct Cut {
  std::uint64_t end;  // number of values before the cut
  double last;        // the largest value before the cut
  double next;        // the smallest value after it; undefined if there is none
};

class RankedValues {
 public:
  virtual ~RankedValues() = default;
  virtual std::uint64_t size() const = 0;
  // The cut after the value of this rank, which counts from 1, and after all equal values.
  // Ranks must not decrease from call to call.
  virtual Cut cut_after(std::uint64_t rank) = 0;
};

// A threshold t with low <= t < high, so it separates the two values even if no double
// lies between them.
double midpoint(double low, double high);

// The rank after which the next bin ends, if `size` values are divided into `bins` more bins
// and `end` values are in earlier bins. The rank does not decrease if `end` increases.
std::uint64_t rank_of_cut(std::uint64_t size, std::uint64_t end, int bins);

// Thresholds for more than max_bins distinct values. Each bin gets an equal fraction of
// the remaining values, and is extended so that equal values are in one bin.
std::vector<double> quantile_thresholds(RankedValues& values, int max_bins);

// The thresholds between these distinct values, which increase.
std::vector<double> thresholds_between(View<const double> distinct);

// Sorted values plus `zeros` zeros that are not stored. Indices run over both.
class SortedValues : public RankedValues {
 public:
  SortedValues(View<const double> values, std::size_t zeros);
  std::uint64_t size() const override { return values_.size() + zeros_; }
  Cut cut_after(std::uint64_t rank) override;

 private:
  double at(std::size_t i) const {
    if (i < first_zero_) {
      return values_[i];
    }
    return i < first_zero_ + zeros_ ? 0.0 : values_[i - zeros_];
  }
  // The index after the last value that equals value i.
  std::size_t end_of_equals(std::size_t i) const;

  View<const double> values_;
  std::size_t zeros_;
  std::size_t first_zero_;
};

// A value and its number of copies.
struct CountedValue {
  double value;
  std::uint64_t count;
};

// Sorts the values, merges equal values and removes values of count 0.
void merge_counted(std::vector<CountedValue>& values);

// Distinct values in increasing order with positive counts.
class CountedRanks : public RankedValues {
 public:
  explicit CountedRanks(View<const CountedValue> values);
  std::uint64_t size() const override { return size_; }
  Cut cut_after(std::uint64_t rank) override;

 private:
  View<const CountedValue> values_;
  std::uint64_t size_ = 0;
  std::size_t at_ = 0;  // values before it are counted in taken_
  std::uint64_t taken_ = 0;
};

}  // namespace rankmix::data
