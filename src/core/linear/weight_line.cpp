#include "core/linear/weight_line.h"

#include <algorithm>
#include <limits>

namespace rankmix::linear {
namespace {

constexpr std::int64_t kMinLength = 2;  // of an interval between two keys
constexpr std::int64_t kStart = -static_cast<std::int64_t>(kLastKey) - 1;
constexpr ChangeBins::Bin kEmpty = {0, 0, std::numeric_limits<std::int32_t>::max(),
                                    std::numeric_limits<std::int32_t>::min()};

// Collects the best of the intervals that look() visits in order.
class Chooser {
 public:
  explicit Chooser(std::int32_t now) : now_(now) {}

  void look(std::int64_t level, std::int64_t from, std::int64_t to) {
    if (to - from < kMinLength) {
      return;
    }
    const std::int64_t away = std::max({from - now_, now_ - to, std::int64_t{0}});
    if (!any_ || level > best_.level + kAlikeUnits ||
        (level > best_.level - kAlikeUnits && away < nearest_)) {
      any_ = true;
      nearest_ = away;
      best_.level = level;
      best_.key = (static_cast<double>(from) + static_cast<double>(to)) / 2.0;
    }
    if (now_ - from >= kMinLength && to - now_ >= kMinLength) {
      best_.inside = true;
      best_.start = level;
    }
  }
  const BestInterval& best() const { return best_; }

 private:
  std::int64_t now_;
  bool any_ = false;
  std::int64_t nearest_ = 0;
  BestInterval best_;
};

// The highest level of the intervals between bins that have changes.
std::int64_t highest_between(const std::vector<ChangeBins::Bin>& bins) {
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  std::int64_t level = 0;
  std::int64_t from = kStart;
  for (const ChangeBins::Bin& bin : bins) {
    if (bin.first <= bin.last) {
      if (bin.first - from >= kMinLength) {
        highest = std::max(highest, level);
      }
      level += bin.sum;
      from = bin.last;
    }
  }
  return std::max(highest, level);
}

// True for each bin whose changes must be visited one by one.
std::vector<char> promising(const std::vector<ChangeBins::Bin>& bins, std::int32_t now) {
  const std::int64_t highest = highest_between(bins);
  std::vector<char> wanted(bins.size(), 0);
  std::int64_t level = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    wanted[b] = level + bins[b].rises >= highest - kAlikeUnits ? 1 : 0;
    level += bins[b].sum;
  }
  wanted[ChangeBins::bin_of(now)] = 1;
  return wanted;
}

}  // namespace

ChangeBins::ChangeBins() : bins_(kCount, kEmpty) {}

void ChangeBins::clear() { std::fill(bins_.begin(), bins_.end(), kEmpty); }

void ChangeBins::add(const ChangeBins& other) {
  for (std::size_t b = 0; b < kCount; ++b) {
    bins_[b].sum += other.bins_[b].sum;
    bins_[b].rises += other.bins_[b].rises;
    bins_[b].first = std::min(bins_[b].first, other.bins_[b].first);
    bins_[b].last = std::max(bins_[b].last, other.bins_[b].last);
  }
}

BestInterval best_interval(const ChangeBins& bins,
                           const std::vector<const std::vector<KeyChange>*>& parts,
                           std::int32_t now) {
  const std::vector<char> wanted = promising(bins.bins(), now);
  std::vector<KeyChange> inner;
  for (const std::vector<KeyChange>* part : parts) {
    for (const KeyChange& change : *part) {
      if (wanted[ChangeBins::bin_of(change.key)] != 0) {
        inner.push_back(change);
      }
    }
  }
  std::sort(inner.begin(), inner.end(),
            [](const KeyChange& x, const KeyChange& y) { return x.key < y.key; });
  Chooser chooser(now);
  std::int64_t level = 0;
  std::int64_t from = kStart;
  std::size_t next = 0;
  for (std::size_t b = 0; b < ChangeBins::kCount; ++b) {
    const ChangeBins::Bin& bin = bins.bins()[b];
    if (bin.first > bin.last) {
      continue;
    }
    if (wanted[b] == 0) {
      chooser.look(level, from, bin.first);
      level += bin.sum;
      from = bin.last;
      continue;
    }
    for (; next < inner.size() && inner[next].key <= bin.last; ++next) {
      chooser.look(level, from, inner[next].key);
      level += inner[next].by;
      from = inner[next].key;
    }
  }
  chooser.look(level, from, -kStart);
  return chooser.best();
}

}  // namespace rankmix::linear
