// Counts of a click log for models in which a click has the probability
//
//   attraction(pair) * examination(context).
//
// Contexts: the position (position-based model), or the position and the position of the
// previous click (user browsing model). An entry is a pair in a context, with the
// numbers of times that it was shown and clicked. Entries suffice for the likelihood.
//
// Algorithm: a counting sort of the rows by pair, then counts of each pair in a small
// table. Cost: O(rows).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/click/sessions.h"

namespace rankmix::click {

enum class ContextKind { kPosition, kPreviousClick };

// The contexts 0, 1, ... of positions up to `depth`. Context 0 is position 1.
class Contexts {
 public:
  Contexts(ContextKind kind, std::size_t depth) : kind_(kind), depth_(depth) {}

  std::size_t count() const {
    return kind_ == ContextKind::kPosition ? depth_ : depth_ * (depth_ + 1) / 2;
  }
  // `position` from 0. `previous`: the position of the last click above, from 1; 0 if
  // there is none.
  std::size_t at(std::size_t position, std::size_t previous) const {
    return kind_ == ContextKind::kPosition ? position
                                           : position * (position + 1) / 2 + previous;
  }

 private:
  ContextKind kind_;
  std::size_t depth_;
};

// The largest number of contexts.
constexpr std::size_t kMaxContexts = 32768;

struct PairCount {
  std::uint32_t context;
  std::uint32_t shown;
  std::uint32_t clicked;
};

struct PairCounts {
  std::vector<std::size_t>
      starts;  // pair p has the entries starts[p] .. starts[p + 1] - 1
  std::vector<PairCount> entries;
};

// Throws InvalidArgument if there are more than kMaxContexts contexts.
PairCounts pair_counts(const Sessions& log, const Contexts& contexts, Host& host);

}  // namespace rankmix::click
