// The interval of a mean difference by inverted sign flips: the numbers m for which the
// test of d_1 - m .. d_n - m does not reject at a level.
//
// Let a pattern flip the signs of the queries F. Let a be the weighted mean of d over F,
// and b the mean over the other queries. The flipped |sum w (d - m)| reaches the observed
// value in two cases. Either a or b equals m, or m lies between one of them and the mean
// over all queries. So the ends of the interval are order statistics of the means a and
// b, and one pass over the patterns gives both ends. Patterns are the same as in
// joint_flips.h: all patterns for up to 20 queries, otherwise random patterns and the
// observed pattern.
//
// Random numbers are functions of their index (random.h), so results do not depend on the
// number of threads.
// Cost: O(n x resamples).
#pragma once
#include <cstdint>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

struct Interval {
  double lower;
  double upper;
};

// `weights` are above 0; empty if all are 1. Both ends are infinite if there are too few
// patterns for a p-value of at most `level`. Throws InvalidArgument if sizes do not fit.
Interval flip_interval(View<const double> differences, View<const double> weights,
                       double level, std::size_t resamples, std::uint64_t seed,
                       Host& host);

}  // namespace rankmix::compare
