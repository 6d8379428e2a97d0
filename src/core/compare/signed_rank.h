// Wilcoxon's signed ranks of paired differences, and the pseudo-median of Hodges and
// Lehmann.
//
// Differences of 0 have no rank. Equal absolute differences share the mean of their ranks.
// Ranks are doubled, so that they are whole numbers.
//
// signed_ranks(): the sum of the ranks of positive differences, and sum (t^3 - t) over
// groups of t ties, for the normal approximation. For up to `max_exact` differences it
// also returns two exact probabilities over all signs: that the sum is at most as large,
// and that it is at least as large. The distribution is convolved with one rank after the
// other: O(n^3).
//
// pseudo_median(): the median of the n (n + 1) / 2 means of two differences, each
// difference also with itself. Sums up to a limit are counted in O(n) on the sorted
// differences, and the limit is found by bisection. The result is exact.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::compare {

struct SignedRanks {
  std::size_t count = 0;          // differences that are not 0
  double positive_doubled = 0.0;  // sum of the doubled ranks of positive differences
  double ties = 0.0;              // sum of t^3 - t
  bool exact = false;
  double below = 1.0;  // probability of a sum at most as large; only if exact
  double above = 1.0;
};

SignedRanks signed_ranks(View<const double> differences, std::size_t max_exact);

// `differences` must not be empty.
double pseudo_median(View<const double> differences);

}  // namespace rankmix::compare
