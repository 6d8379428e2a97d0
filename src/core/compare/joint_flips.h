// Sign flips of all rankers together, for simultaneous inference about pairs of rankers.
//
// Problem: v_qi is the value of ranker i on query q, and d_q = v_qi - v_qj the difference
// of a pair. Under the null hypothesis the differences of a query are as likely as their
// negatives. A pattern draws one sign for each query, the same sign for all pairs. So the
// dependence between pairs is kept.
//
// Statistic: t = m / se, with the weighted mean m = sum w d / W. The standard error is
// stratified. Stratum f has n_f queries, weight W_f, and mean m_f:
//   se^2 = sum_f sum_{q in f} c w^2 (d - m_f)^2 / W^2,
// with c = n / (n - 1) for one stratum, and c = 1 / (1 - w / W_f) for several. The second
// factor (HC2) is n_f / (n_f - 1) without weights. The first one makes the variance of a
// weighted mean a little too small, which would add up over strata.
// Without weights and strata this is Student's t. A pattern replaces d by s d everywhere,
// also in the standard error. t is 0 if all differences are 0, and infinite if only the
// standard error is 0.
//
// A query is informative if two rankers differ on it. Patterns are complete for up to
// kMaxExactQueries informative queries.
//
// Result, as counts of patterns:
//   marginal: |sum w d| of the pair reaches the observed value, as in resample.h.
//   single: the largest t* of the family reaches the observed t (single-step maxT).
//   stepped: the largest t* of the pairs whose observed t is not larger reaches the
//             observed t (step-down maxT; the caller makes the p-values monotone).
//   best: for ranker i, the largest one-sided t* of another ranker over i reaches its
//             observed value. If there are few such patterns, i is not the best ranker.
// `critical` is the threshold that observed statistics must exceed, so that the
// single-step p-value is at most `level`.
//
// Algorithm: the signed sum of a pair is the difference of two rankers' signed sums. So a
// pattern costs O(queries x rankers + pairs). The 16 signed sums of four queries are
// computed once for a block of patterns. Random numbers are functions of their index
// (random.h), and counts are whole numbers. So results do not depend on the number of
// threads.
//
// Westfall and Young (1993), Resampling-Based Multiple Testing. Romano and Wolf (2005),
// doi:10.1198/016214504000000539. Hsu (1984), doi:10.1214/aos/1176346732. MacKinnon and
// White (1985), doi:10.1016/0304-4076(85)90158-7.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

// Largest product of the numbers of complete patterns and of pairs: about a second on one
// thread.
constexpr double kMaxJointExactWork = 134217728.0;

enum class Alternative { kTwoSided, kGreater, kLess };

struct FlippedValues {
  MatrixView<const double> values;  // queries x rankers
  View<const double> weights;       // above 0; empty if all are 1
  View<const int> strata;           // stratum of each query, 0, 1, ...; empty for one
};

// Pairs of rankers (columns of the values). Pairs outside the family count for `best`
// only.
struct FlippedPairs {
  View<const int> first;
  View<const int> second;
  View<const int> in_family;
  Alternative alternative = Alternative::kTwoSided;
};

struct JointFlips {
  std::vector<std::uint64_t> changed;   // queries on which the rankers of a pair differ
  std::vector<double> statistic;        // observed t = m / se of each pair, with its sign
  std::vector<std::uint64_t> marginal;  // of each pair
  std::vector<std::uint64_t> single;    // of each pair; 0 outside the family
  std::vector<std::uint64_t> stepped;   // of each pair; 0 outside the family
  std::vector<std::uint64_t> best;      // of each ranker
  double critical = 0.0;                // infinite if no p-value can reach the level
  std::uint64_t patterns = 0;           // including the observed pattern
  bool exact = false;
};

// Throws InvalidArgument if sizes do not fit.
JointFlips joint_flips(const FlippedValues& values, const FlippedPairs& pairs,
                       double level, std::size_t resamples, std::uint64_t seed,
                       Host& host);

}  // namespace rankmix::compare
