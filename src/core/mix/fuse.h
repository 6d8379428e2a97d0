// Fusion: one score for each document that some ranker retrieved, from their lists.
//
// In the list of n documents that ranker r has for a query, of N that any ranker has, a
// document has the value v_r(d): its normalised score, or the value of its rank.
// Documents that share the ranks a to b get the mean of the values of these ranks. Then
//   fused(d) = reward(n_d) * combine over r of v_r(d),
// n_d the sum of the weights of the rankers that count for d: those that retrieved it, or
// all with a list, as `missing` says. A ranker without a list for a query does not count
// in it. What is added up is sorted before, so that neither the order of the rows nor
// that of the rankers changes a bit.
//
// Sources: Fox & Shaw 1994 (Comb...); Montague & Aslam 2001, doi:10.1145/502585.502657
// (normalisations); Cormack, Clarke & Buettcher 2009, doi:10.1145/1571941.1572114 (RRF);
// Aslam & Montague 2001, doi:10.1145/383952.384007 (Borda). Cost: O(m N log N) for a
// query of N documents and m rankers.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/mix/lists.h"

namespace rankmix::mix {

// v_r(d), with s the scores of the list and p the rank from 1.
enum class ListValue {
  kScore,   // s
  kMinMax,  // (s - min) / (max - min); 1 where all are equal
  kSum,     // (s - min) / sum (s - min); 1 / n where all are equal
  kMax,     // s / max |s|; 0 where all are 0
  kZ,       // (s - mean) / standard deviation; 0 where all are equal
  kRank,    // 1 - (p - 1) / n
  kBorda,   // 1 - (p - 1) / N
  kPoints,  // N - p + 1
  kTable,   // the row p of a table; with segments the row floor((p - 1) segments / n) + 1
};

// The value of a document that a list lacks.
enum class Missing {
  kSkip,   // nothing: the ranker does not count for the document
  kZero,   // 0
  kLast,   // by rank: the mean over the ranks n + 1 to N; kRank and scores: the least
  kGiven,  // a number of the ranker's
};

enum class Combination { kSum, kMean, kMin, kMax, kMedian };

enum class Reward { kNone, kPower, kLog };  // 1, n_d^parameter, ln(n_d + parameter)

struct FusionOptions {
  ListValue list_value = ListValue::kMinMax;
  MatrixView<const double> table{nullptr, 0, 0};  // ranks or segments x rankers
  std::size_t segments = 0;                       // 0: rows of the table are ranks
  bool times_scores = false;  // the value of a rank times (1 + kMinMax of the score)
  Missing missing = Missing::kSkip;
  View<const double> given;  // one a ranker, for kGiven
  Combination combination = Combination::kSum;
  Reward reward = Reward::kNone;
  double parameter = 1.0;
  View<const double> weights;  // one a ranker, above 0
};

// One score a row; NaN for a document that no ranker retrieved.
std::vector<double> fuse_lists(const Lists& lists, const FusionOptions& options,
                               Host& host);

}  // namespace rankmix::mix
