// Ranks of any number of values without sorting them, in memory that does not grow with
// their number.
//
// Given:     values that can be visited several times, in any order and in any number of
//            parts, and a number of copies for each.
// Result:    the same cuts as from the sorted values, bit for bit.
// Algorithm: doubles map to integers of the same order. Buckets are intervals of these
//            integers. Each bucket counts its values and holds the smallest and the
//            largest of them. If the bucket of a cut has one distinct value, the cut is
//            decided. Otherwise the bucket is cut into smaller buckets, or its values are
//            gathered if they are few. Each of these takes one more pass over the values.
//            A quantile cut depends on the earlier cuts. So all buckets are opened that
//            the cut can be in, whatever the undecided earlier buckets contain. Three to
//            five passes are usual.
// Parts:     a tally holds the result of one pass over a part of the values. Tallies are
//            merged by sums, minima and maxima. So the result does not depend on the
//            division into parts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/sort.h"
#include "core/data/ranked_values.h"

namespace rankmix::data {

// A key of the same order as the doubles; 0 and -0 have the same key.
inline std::uint64_t key_of(double x) {
  return static_cast<std::uint64_t>(order_of(x)) ^ (std::uint64_t{1} << 63);
}
double value_of(std::uint64_t key);

class BucketRanks : public RankedValues {
 public:
  // The values that a pass found in one bucket, in summary.
  struct Bucket {
    std::uint64_t count = 0;  // number of values, counting copies
    std::uint64_t items = 0;  // number of values, each counted once
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t largest = 0;
  };

  // The result of a pass over a part of the values.
  class Tally {
   public:
    explicit Tally(const BucketRanks& ranks);
    void add(double value, std::uint64_t count) {
      const std::uint64_t key = key_of(value);
      const int open = at_top_[static_cast<std::size_t>(key >> kTopShift)];
      if (open >= 0) {
        add_key(key, static_cast<std::size_t>(open), count);
      }
    }
    void merge(const Tally& other);

    // These functions merge the tallies of several ranks, which must be of the same pass.
    // A tally has buckets or gathered values. `sums` are two numbers for each bucket, to
    // be added. `largest` are two numbers for each bucket, of which the maximum over
    // ranks is kept.
    std::size_t buckets() const { return buckets_.size(); }
    void write(std::uint64_t* sums, double* largest) const;
    void read(const std::uint64_t* sums, const double* largest);
    bool gathers() const { return ranks_.gathers_; }
    std::vector<CountedValue>& gathered() { return gathered_; }

   private:
    friend class BucketRanks;
    void add_key(std::uint64_t key, std::size_t open, std::uint64_t count);

    const BucketRanks& ranks_;
    const int* at_top_;
    std::vector<Bucket> buckets_;         // parts of all open buckets
    std::vector<CountedValue> gathered_;  // or the values in them
  };

  // `gather`: the largest number of values that a pass gathers. `parts`: the total number
  // of smaller buckets into which a pass cuts all undecided buckets, at least 512.
  // `top_bits`: the first pass has 2^top_bits buckets, at most 16 bits. None of these
  // numbers changes the cuts.
  explicit BucketRanks(std::size_t gather = std::size_t{1} << 17,
                       std::size_t parts = std::size_t{1} << 18, int top_bits = 16);
  BucketRanks(const BucketRanks&) = delete;
  BucketRanks& operator=(const BucketRanks&) = delete;

  // Whether another pass is needed. Make a tally, add all values to it, and call take().
  bool is_undecided() const { return !open_.empty(); }
  void take(const Tally& tally);
  // After cut_after(): opens the buckets of undecided cuts. Returns whether there are any.
  bool open_undecided();
  // Opens the buckets of undecided cuts of quantile_thresholds().
  bool open_quantiles(int max_bins);

  std::uint64_t size() const override { return size_; }
  Cut cut_after(std::uint64_t rank) override;

 private:
  // Open buckets are found by the highest 16 bits of a key.
  static constexpr int kTopShift = 48;

  struct Interval {
    std::uint64_t first;  // smallest key that belongs to it
    int shift;            // it has 2^shift keys
    Bucket found;
    bool undecided = false;
    std::vector<CountedValue> values;  // the values, if they were gathered
  };
  struct Open {
    std::size_t interval;
    std::uint64_t first;
    int shift;         // of the parts
    std::size_t part;  // index of its first part
  };

  // Cumulative numbers of values before each interval, and of all values.
  std::vector<std::uint64_t> counts_before() const;
  bool is_decided(const Interval& interval) const;
  void index_open();
  Cut cut_within(const Interval& interval, std::uint64_t before, std::uint64_t rank,
                 std::size_t at) const;
  double smallest_after(std::size_t at) const;

  std::size_t gather_;
  std::size_t parts_;
  std::uint64_t size_ = 0;
  std::vector<Interval> intervals_;  // in increasing order, none empty after a pass
  std::vector<Open> open_;
  std::vector<int> at_top_;  // index of the first open bucket of these top bits, or -1
  std::size_t open_parts_ = 0;
  bool gathers_ = false;
  std::size_t at_ = 0;  // intervals before it are counted in before_
  std::uint64_t before_ = 0;
};

}  // namespace rankmix::data
