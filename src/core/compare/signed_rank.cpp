#include "core/compare/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/errors.h"

namespace rankmix::compare {
namespace {

// Exact probabilities of the sum of positive ranks. All numbers are multiples of 2^-n, so
// sums have no rounding for up to 53 differences.
void exact_probabilities(const std::vector<std::size_t>& doubled, SignedRanks& found) {
  std::size_t largest = 0;
  std::vector<double> probability{1.0};
  for (const std::size_t rank : doubled) {
    probability.resize(largest + rank + 1, 0.0);
    for (std::size_t sum = largest + rank + 1; sum-- > 0;) {
      const double shifted = sum >= rank ? probability[sum - rank] : 0.0;
      probability[sum] = (probability[sum] + shifted) / 2.0;
    }
    largest += rank;
  }
  const auto observed = static_cast<std::size_t>(found.positive_doubled);
  found.below = 0.0;
  found.above = 0.0;
  for (std::size_t sum = 0; sum <= largest; ++sum) {
    found.below += sum <= observed ? probability[sum] : 0.0;
    found.above += sum >= observed ? probability[sum] : 0.0;
  }
}

// The sums of two sorted differences, i <= j.
class PairSums {
 public:
  explicit PairSums(std::vector<double> sorted) : sorted_(std::move(sorted)) {}

  std::uint64_t count() const {
    const auto n = static_cast<std::uint64_t>(sorted_.size());
    return n * (n + 1) / 2;
  }
  double smallest() const { return sorted_.front() + sorted_.front(); }
  double largest() const { return sorted_.back() + sorted_.back(); }

  // The number of sums up to a limit.
  std::uint64_t up_to(double limit) const {
    std::uint64_t found = 0;
    std::size_t end = sorted_.size();  // sums of i with j < end are at most the limit
    for (std::size_t i = 0; i < end; ++i) {
      while (end > i && sorted_[i] + sorted_[end - 1] > limit) {
        --end;
      }
      found += end - std::min(end, i);
    }
    return found;
  }

  // The sum with `rank` - 1 sums before it. After bisection, the few remaining sums are
  // listed.
  double ranked(std::uint64_t rank) const {
    double low = smallest();
    double high = largest();
    if (up_to(low) >= rank) {
      return low;
    }
    // Fewer than `rank` sums are at most `low`, and at least `rank` sums are at most
    // `high`.
    std::uint64_t before = up_to(low);
    std::uint64_t until = count();
    while (until - before > 2 * sorted_.size()) {
      const double middle = low + (high - low) / 2.0;
      if (middle <= low || middle >= high) {
        return high;
      }
      const std::uint64_t found = up_to(middle);
      (found >= rank ? high : low) = middle;
      (found >= rank ? until : before) = found;
    }
    std::vector<double> sums = between(low, high);
    const auto at = sums.begin() + static_cast<std::ptrdiff_t>(rank - before - 1);
    std::nth_element(sums.begin(), at, sums.end());
    return *at;
  }

 private:
  // The sums above `low` and up to `high`.
  std::vector<double> between(double low, double high) const {
    std::vector<double> sums;
    std::size_t first = sorted_.size();  // sums of i with j >= first are above `low`
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      while (first > i && sorted_[i] + sorted_[first - 1] > low) {
        --first;
      }
      for (std::size_t j = std::max(first, i); j < sorted_.size(); ++j) {
        const double sum = sorted_[i] + sorted_[j];
        if (sum > high) {
          break;
        }
        sums.push_back(sum);
      }
    }
    return sums;
  }

  std::vector<double> sorted_;
};

}  // namespace

SignedRanks signed_ranks(View<const double> differences, std::size_t max_exact) {
  struct Size {
    double size;
    bool positive;
  };
  std::vector<Size> sizes;
  for (const double d : differences) {
    if (d != 0.0) {
      sizes.push_back({std::abs(d), d > 0.0});
    }
  }
  std::sort(sizes.begin(), sizes.end(),
            [](const Size& a, const Size& b) { return a.size < b.size; });
  SignedRanks found;
  found.count = sizes.size();
  std::vector<std::size_t> doubled;
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t last = first;
    std::size_t positive = 0;
    while (last < sizes.size() && sizes[last].size == sizes[first].size) {
      positive += sizes[last].positive ? 1 : 0;
      ++last;
    }
    const std::size_t rank = first + 1 + last;  // twice the mean of first + 1 .. last
    const auto tied = static_cast<double>(last - first);
    found.ties += tied * tied * tied - tied;
    found.positive_doubled += static_cast<double>(rank * positive);
    doubled.insert(doubled.end(), last - first, rank);
    first = last;
  }
  found.exact = found.count <= max_exact;
  if (found.exact) {
    exact_probabilities(doubled, found);
  }
  return found;
}

double pseudo_median(View<const double> differences) {
  if (differences.empty()) {
    throw InvalidArgument("the pseudo-median needs a difference");
  }
  std::vector<double> sorted(differences.begin(), differences.end());
  std::sort(sorted.begin(), sorted.end());
  const PairSums sums(std::move(sorted));
  const std::uint64_t count = sums.count();
  const double upper = sums.ranked(count / 2 + 1);
  const double lower = count % 2 == 1 ? upper : sums.ranked(count / 2);
  return (lower + upper) / 4.0;
}

}  // namespace rankmix::compare
