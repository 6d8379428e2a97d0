#include "core/compare/pairs_above.h"

#include <algorithm>
#include <cstddef>

namespace rankmix::compare {
namespace {

// Counts of ranks. Each operation takes O(log n).
class RankCounts {
 public:
  explicit RankCounts(std::size_t ranks) : sums_(ranks + 1, 0), counts_(ranks, 0) {}

  void add(int rank, int count) {
    total_ += count;
    counts_[static_cast<std::size_t>(rank)] += count;
    for (auto i = static_cast<std::size_t>(rank) + 1; i < sums_.size();
         i += i & (~i + 1)) {
      sums_[i] += count;
    }
  }
  int equal(int rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  int higher(int rank) const {
    int up_to = 0;
    for (auto i = static_cast<std::size_t>(rank) + 1; i > 0; i -= i & (~i + 1)) {
      up_to += sums_[i];
    }
    return total_ - up_to;
  }

 private:
  std::vector<int> sums_;
  std::vector<int> counts_;
  int total_ = 0;
};

}  // namespace

PairsAbove pairs_above(View<const int> rank, View<const int> ends) {
  const std::size_t n = rank.size();
  const int highest = n == 0 ? -1 : *std::max_element(rank.begin(), rank.end());
  RankCounts before(static_cast<std::size_t>(highest + 1));
  RankCounts within(static_cast<std::size_t>(highest + 1));
  PairsAbove pairs;
  std::size_t begin = 0;
  for (const int stop : ends) {
    const auto end = static_cast<std::size_t>(stop);
    for (std::size_t i = begin; i < end; ++i) {
      within.add(rank[i], 1);
    }
    for (std::size_t i = begin; i < end; ++i) {
      pairs.higher_before.push_back(before.higher(rank[i]));
      pairs.equal_before.push_back(before.equal(rank[i]));
      pairs.higher_within.push_back(within.higher(rank[i]));
      pairs.equal_within.push_back(within.equal(rank[i]) - 1);
    }
    for (std::size_t i = begin; i < end; ++i) {
      within.add(rank[i], -1);
      before.add(rank[i], 1);
    }
    begin = end;
  }
  return pairs;
}

}  // namespace rankmix::compare
