#include "core/data/bucket_ranks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rankmix::data {

double value_of(std::uint64_t key) {
  auto bits = static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
  if (bits < 0) {
    bits ^= std::numeric_limits<std::int64_t>::max();
  }
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

BucketRanks::BucketRanks(std::size_t gather, std::size_t parts, int top_bits)
    : gather_(gather), parts_(parts), at_top_(std::size_t{1} << (64 - kTopShift), 0) {
  // All keys are one open bucket. Its parts are counted from 0, so 64 bits of shift are
  // never needed.
  open_.push_back({0, 0, 64 - top_bits, 0});
  open_parts_ = std::size_t{1} << top_bits;
}

BucketRanks::Tally::Tally(const BucketRanks& ranks)
    : ranks_(ranks),
      at_top_(ranks.at_top_.data()),
      buckets_(ranks.gathers_ ? 0 : ranks.open_parts_) {}

void BucketRanks::Tally::add_key(std::uint64_t key, std::size_t open,
                                 std::uint64_t count) {
  const std::vector<Open>& all = ranks_.open_;
  // The last open bucket that begins at or before the key.
  if (open + 1 < all.size() && all[open + 1].first <= key) {
    const auto after = std::upper_bound(
        all.begin() + static_cast<std::ptrdiff_t>(open), all.end(), key,
        [](std::uint64_t at, const Open& one) { return at < one.first; });
    open = static_cast<std::size_t>(after - all.begin()) - 1;
  }
  const Open& at = all[open];
  const std::size_t end = open + 1 < all.size() ? all[open + 1].part : ranks_.open_parts_;
  const std::size_t part =
      at.part + static_cast<std::size_t>((key - at.first) >> at.shift);
  if (key < at.first || part >= end) {
    return;
  }
  if (ranks_.gathers_) {
    gathered_.push_back({value_of(key), count});
    return;
  }
  Bucket& bucket = buckets_[part];
  bucket.count += count;
  ++bucket.items;
  bucket.smallest = std::min(bucket.smallest, key);
  bucket.largest = std::max(bucket.largest, key);
}

void BucketRanks::Tally::merge(const Tally& other) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket& more = other.buckets_[i];
    buckets_[i].count += more.count;
    buckets_[i].items += more.items;
    buckets_[i].smallest = std::min(buckets_[i].smallest, more.smallest);
    buckets_[i].largest = std::max(buckets_[i].largest, more.largest);
  }
  gathered_.insert(gathered_.end(), other.gathered_.begin(), other.gathered_.end());
}

void BucketRanks::Tally::write(std::uint64_t* sums, double* largest) const {
  constexpr double none = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket& bucket = buckets_[i];
    sums[2 * i] = bucket.count;
    sums[2 * i + 1] = bucket.items;
    largest[2 * i] = bucket.items > 0 ? -value_of(bucket.smallest) : none;
    largest[2 * i + 1] = bucket.items > 0 ? value_of(bucket.largest) : none;
  }
}

void BucketRanks::Tally::read(const std::uint64_t* sums, const double* largest) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i] = Bucket{};
    if (sums[2 * i + 1] > 0) {
      buckets_[i] = {sums[2 * i], sums[2 * i + 1], key_of(-largest[2 * i]),
                     key_of(largest[2 * i + 1])};
    }
  }
}

void BucketRanks::take(const Tally& tally) {
  std::vector<CountedValue> gathered = tally.gathered_;
  merge_counted(gathered);
  std::vector<Interval> next;
  std::size_t kept = 0;  // intervals before it are in `next`
  for (std::size_t o = 0; o < open_.size(); ++o) {
    const Open& open = open_[o];
    if (!intervals_.empty()) {
      std::move(intervals_.begin() + static_cast<std::ptrdiff_t>(kept),
                intervals_.begin() + static_cast<std::ptrdiff_t>(open.interval),
                std::back_inserter(next));
      kept = open.interval + 1;
    }
    if (gathers_) {
      Interval& interval = intervals_[open.interval];
      const double last = value_of(interval.found.largest);
      const auto begin = std::lower_bound(
          gathered.begin(), gathered.end(), value_of(interval.found.smallest),
          [](const CountedValue& one, double value) { return one.value < value; });
      const auto end = std::upper_bound(
          begin, gathered.end(), last,
          [](double value, const CountedValue& one) { return value < one.value; });
      interval.values.assign(begin, end);
      next.push_back(std::move(interval));
      continue;
    }
    const std::size_t end = o + 1 < open_.size() ? open_[o + 1].part : open_parts_;
    for (std::size_t part = open.part; part < end; ++part) {
      if (tally.buckets_[part].count > 0) {
        const std::uint64_t first =
            open.first + (static_cast<std::uint64_t>(part - open.part) << open.shift);
        next.push_back({first, open.shift, tally.buckets_[part], false, {}});
      }
    }
  }
  std::move(intervals_.begin() + static_cast<std::ptrdiff_t>(kept), intervals_.end(),
            std::back_inserter(next));
  intervals_ = std::move(next);
  size_ = 0;
  for (const Interval& interval : intervals_) {
    size_ += interval.found.count;
  }
  open_.clear();
  at_ = 0;
  before_ = 0;
}

bool BucketRanks::is_decided(const Interval& interval) const {
  return interval.found.smallest == interval.found.largest || !interval.values.empty();
}

double BucketRanks::smallest_after(std::size_t at) const {
  return at + 1 < intervals_.size() ? value_of(intervals_[at + 1].found.smallest) : 0.0;
}

Cut BucketRanks::cut_within(const Interval& interval, std::uint64_t before,
                            std::uint64_t rank, std::size_t at) const {
  std::uint64_t end = before;
  for (std::size_t i = 0; i < interval.values.size(); ++i) {
    end += interval.values[i].count;
    if (end >= rank) {
      return {end, interval.values[i].value,
              i + 1 < interval.values.size() ? interval.values[i + 1].value
                                             : smallest_after(at)};
    }
  }
  return {before + interval.found.count, value_of(interval.found.largest),
          smallest_after(at)};
}

Cut BucketRanks::cut_after(std::uint64_t rank) {
  if (rank <= before_) {
    at_ = 0;  // a new series of cuts
    before_ = 0;
  }
  while (before_ + intervals_[at_].found.count < rank) {
    before_ += intervals_[at_++].found.count;
  }
  Interval& interval = intervals_[at_];
  interval.undecided = interval.undecided || !is_decided(interval);
  return cut_within(interval, before_, rank, at_);
}

std::vector<std::uint64_t> BucketRanks::counts_before() const {
  std::vector<std::uint64_t> before{0};
  for (const Interval& interval : intervals_) {
    before.push_back(before.back() + interval.found.count);
  }
  return before;
}

bool BucketRanks::open_quantiles(int max_bins) {
  const std::vector<std::uint64_t> before = counts_before();
  const auto interval_of = [&](std::uint64_t rank) {
    const auto after = std::lower_bound(before.begin(), before.end(), rank);
    return static_cast<std::size_t>(after - before.begin()) - 1;
  };
  // The number of values before a cut is in [low, high].
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (int bin = 0; bin < max_bins - 1 && low < size_; ++bin) {
    const std::uint64_t first = rank_of_cut(size_, low, max_bins - bin);
    const std::uint64_t last = std::min(size_, rank_of_cut(size_, high, max_bins - bin));
    const std::size_t from = interval_of(first);
    const std::size_t to = interval_of(last);
    for (std::size_t i = from; i <= to; ++i) {
      intervals_[i].undecided = !is_decided(intervals_[i]);
    }
    low = intervals_[from].undecided
              ? first
              : cut_within(intervals_[from], before[from], first, from).end;
    high = cut_within(intervals_[to], before[to], last, to).end;
  }
  return open_undecided();
}

bool BucketRanks::open_undecided() {
  open_.clear();
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    if (intervals_[i].undecided) {
      intervals_[i].undecided = false;
      open_.push_back({i, intervals_[i].first, intervals_[i].shift, 0});
      items += intervals_[i].found.items;
    }
  }
  if (open_.empty()) {
    return false;
  }
  gathers_ = items <= gather_;
  if (!gathers_ && open_.size() > parts_ / 2) {
    // The first cuts come first, because the others depend on them.
    open_.resize(parts_ / 2);
  }
  open_parts_ = 0;
  // The finest division for which the parts of all open buckets fit.
  int bits = 1;
  while ((open_.size() << (bits + 1)) <= parts_) {
    ++bits;
  }
  for (Open& open : open_) {
    const int own = gathers_ ? 0 : std::min(bits, open.shift);
    open.shift -= own;
    open.part = open_parts_;
    open_parts_ += std::size_t{1} << own;
  }
  index_open();
  return true;
}

void BucketRanks::index_open() {
  std::fill(at_top_.begin(), at_top_.end(), -1);
  for (std::size_t o = open_.size(); o-- > 0;) {
    const std::uint64_t first = open_[o].first;
    const std::uint64_t others =
        (std::uint64_t{1} << intervals_[open_[o].interval].shift) - 1;
    for (std::uint64_t top = first >> kTopShift; top <= (first + others) >> kTopShift;
         ++top) {
      at_top_[static_cast<std::size_t>(top)] = static_cast<int>(o);
    }
  }
}

}  // namespace rankmix::data
