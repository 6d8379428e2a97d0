// Fusion of ranked lists: one score for each document that some ranker retrieved.
//
// For a query, ranker r has a list of n documents; N documents are in some list. v_r(d)
// is the value of document d in the list: its normalised score, or the value of its rank.
// Documents that share the ranks a to b get the mean value of these ranks. Then
//   fused(d) = reward(n_d) * combine over r of v_r(d),
// where n_d is the sum of the weights of the rankers that count for d. Depending on
// `missing`, these are the rankers that retrieved d, or all rankers with a list for the
// query. A ranker without a list for a query has no effect on the query. Terms are sorted
// before summation, so the bits do not depend on the order of rows or rankers.
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

// The value v_r(d). s are the scores of the list, p is the rank from 1.
enum class ListValue {
  kScore,   // s
  kMinMax,  // (s - min) / (max - min); 1 if all are equal
  kSum,     // (s - min) / sum (s - min); 1 / n if all are equal
  kMax,     // s / max |s|; 0 if all are 0
  kZ,       // (s - mean) / standard deviation; 0 if all are equal
  kRank,    // 1 - (p - 1) / n
  kBorda,   // 1 - (p - 1) / N
  kPoints,  // N - p + 1
  kTable,   // row p of a table; with segments row floor((p - 1) segments / n) + 1
};

// The value of a document that is not in the list.
enum class Missing {
  kSkip,   // no value: the ranker does not count for the document
  kZero,   // 0
  kLast,   // mean value of ranks n + 1 to N; with kRank and scores the lowest value
  kGiven,  // a given number for each ranker
};

enum class Combination { kSum, kMean, kMin, kMax, kMedian };

enum class Reward { kNone, kPower, kLog };  // 1, n_d^parameter, ln(n_d + parameter)

struct FusionOptions {
  ListValue list_value = ListValue::kMinMax;
  MatrixView<const double> table{nullptr, 0, 0};  // ranks or segments x rankers
  std::size_t segments = 0;                       // 0: rows of the table are ranks
  bool times_scores = false;  // multiply rank values by (1 + kMinMax of the score)
  Missing missing = Missing::kSkip;
  View<const double> given;  // one for each ranker, for kGiven
  Combination combination = Combination::kSum;
  Reward reward = Reward::kNone;
  double parameter = 1.0;
  View<const double> weights;  // one for each ranker, positive
};

// One score for each row; NaN if no ranker retrieved the document.
std::vector<double> fuse_lists(const Lists& lists, const FusionOptions& options,
                               Host& host);

}  // namespace rankmix::mix
