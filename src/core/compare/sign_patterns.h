// Shared code of tests by random patterns of signs: groups of four signs, blocks of
// patterns, and the number of patterns that a level allows.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/host.h"

namespace rankmix::compare {

// With more queries, patterns are random instead of complete.
constexpr std::size_t kMaxExactQueries = 20;

// Four queries share a table of their 16 signed sums. Bit j of a pattern is set if query j
// keeps its sign. A random number of 64 bits has the signs of 16 groups.
constexpr std::size_t kGroup = 4;
constexpr std::size_t kSums = 1U << kGroup;
constexpr std::size_t kGroupsOfWord = 64 / kGroup;

constexpr std::size_t kPatternBlock = 128;  // patterns of a task
constexpr std::size_t kTasksOfCheck = 64;   // tasks between two checks for an interrupt

// Calls work(first, last) for blocks of [0, count). Blocks do not depend on the number of
// threads.
template <typename Work>
void in_blocks(std::size_t count, Host& host, const Work& work) {
  const std::size_t blocks = (count + kPatternBlock - 1) / kPatternBlock;
  for (std::size_t first = 0; first < blocks; first += kTasksOfCheck) {
    host.checkpoint();
    host.parallel_for(std::min(kTasksOfCheck, blocks - first), [&](std::size_t i) {
      const std::size_t start = (first + i) * kPatternBlock;
      work(start, std::min(count, start + kPatternBlock));
    });
  }
}

// The largest number of drawn patterns that may reach a statistic so that its p-value is at
// most `level`. If patterns are random, the observed pattern is counted as an additional
// pattern. Negative if no p-value can be that small. With the tolerance, .05 x 20 counts
// as 1 despite rounding.
inline double allowed_patterns(std::size_t drawn, double level, bool exact) {
  const double observed = exact ? 0.0 : 1.0;
  return std::floor(level * (static_cast<double>(drawn) + observed) * (1.0 + 1e-12)) -
         observed;
}

}  // namespace rankmix::compare
