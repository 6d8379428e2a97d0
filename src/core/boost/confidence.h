// Confidence-rated votes: base classifiers whose votes are any numbers.
//
// Where a base classifier is constant, on a set of documents with the weights W+ of the
// labels of +1 and W- of those of -1 for a grade, the vote c = 1/2 log((W+ + e) / (W- +
// e)) makes the normaliser Z = sum_il w_il exp(-h_l(x_i) y_il) smallest: 2 sqrt(W+ W-) on
// this set, if e is 0. e = 1 / (n K) keeps votes finite. Reference: Schapire & Singer
// 1999, doi:10.1023/A:1007614523901, sections 3.1 and 4.2.
//
// Channels are the K signed weights and, from half of a slot's lanes on, the K weights;
// the score of a set is how much its votes take off Z, sum_l W+ + W- - 2 sqrt(W+ W-).
// Weights in double precision have these in half of the lanes, and in the others what
// rounding took from them; see edge_score.h.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/boost/weights.h"
#include "core/tree/channels.h"
#include "core/tree/split_finder.h"

namespace rankmix::boost {

// For so many grades of this source.
std::unique_ptr<tree::SplitFinder> confidence_finder(const tree::ChannelSource& source,
                                                     std::size_t classes);

// Votes with the largest magnitude 1, and the factor that was taken out of them: 0 where
// all votes are 0.
struct ScaledVotes {
  Votes votes;
  double alpha;
};

// Of the weights of the labels of +1 and of -1, in turn, for each leaf and grade.
ScaledVotes confidence_votes(const std::vector<double>& class_sums, double smoothing);

// What is added to the weights in a vote: 1 / (n K).
inline double smoothing_of(const Weights& weights) {
  return 1.0 / (weights.documents() * static_cast<double>(weights.classes()));
}

}  // namespace rankmix::boost
