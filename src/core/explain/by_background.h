// Shapley values of the scores of a forest. A feature outside the coalition takes its
// values from the rows of a background data set, and the result is the mean over these
// rows.
//
// Consider a leaf with value v, a row x and a background row b. Let A be the features on
// the path that let x pass but not b, and B the features that let b pass but not x. If a
// feature lets neither pass, the leaf cannot be reached. Otherwise, with a = |A| and c =
// |B|, each feature of A gets v (a - 1)! c! / (a + c)!, and each feature of B gets -v a!
// (c - 1)! / (a + c)!. The result depends on x only through the set of features that let
// x pass. So rows with the same set share one computation. Background rows with the same
// set are counted, and computed once.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::explain {

// Largest number of features on a path, because a pattern has one bit for each.
constexpr std::size_t kMaxPathFeatures = 64;

// True if no path has more features than kMaxPathFeatures.
bool paths_fit(const tree::ForestView& forest);

// The forest must have one output and one tree a round. contributions[f * rows + i] is
// the contribution of feature f to the difference between the score of row i and the mean
// score of the background.
void contributions_by_background(const tree::ForestView& forest,
                                 MatrixView<const double> x,
                                 MatrixView<const double> background, Host& host,
                                 double* contributions);

}  // namespace rankmix::explain
