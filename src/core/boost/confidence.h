// Confidence-rated votes: base classifiers whose votes are real numbers.
//
// A base classifier is constant on a set of documents. For one grade, let W+ be the
// weight of the labels +1 in this set, and W- of the labels -1. The vote c = 1/2 log((W+
// + e) / (W- + e)) with e = 0 minimises the normaliser Z = sum_il w_il exp(-h_l(x_i)
// y_il), to 2 sqrt(W+ W-) on this set. e = 1 / (n K) keeps votes finite. Reference:
// Schapire & Singer 1999, doi:10.1023/A:1007614523901, sections 3.1 and 4.2.
//
// The channels are the K signed weights, and the K weights in the second half of a slot's
// lanes.
// The score of a set is the decrease of Z by the votes of the set, sum_l W+ + W- - 2
// sqrt(W+ W-). Weights in double precision use half of the lanes for these channels, and
// the other half for their rounding errors; see edge_score.h.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/boost/weights.h"
#include "core/tree/channels.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// Creates a finder of splits by this score, for channels of this source and `classes`
// grades.
std::unique_ptr<tree::SplitFinder> confidence_finder(const tree::ChannelSource& source,
                                                     std::size_t classes);

// Votes whose largest magnitude is 1, and the factor alpha by which they were divided.
// alpha is 0 if all votes are 0.
struct ScaledVotes {
  Votes votes;
  double alpha;
};

// `class_sums` has, for each leaf and grade, the weight of the labels +1 and the weight
// of the labels -1.
ScaledVotes confidence_votes(const std::vector<double>& class_sums, double smoothing);

// e in the formula above: 1 / (n K).
inline double smoothing_of(const Weights& weights) {
  return 1.0 / (weights.documents() * static_cast<double>(weights.classes()));
}

}  // namespace rankmix::boost
