// Shapley values of the scores of a forest, a feature that is not known taken from rows
// of a background, on average over them.
//
// Of a leaf of value v, a row x and a row b of the background let A be the features on
// the way that let x pass and b not, and B those that let b pass and x not. If one lets
// neither pass the leaf is out of reach; otherwise it gives each feature of A v (a - 1)!
// c! / (a + c)! and each of B -v a! (c - 1)! / (a + c)!, with a and c the numbers of
// features of A and B. This depends on which features let x pass alone, so that it is
// worked out once for all rows that agree in them, and on how many rows of the background
// agree in what lets them pass.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::explain {

// Features on the way to a leaf of which a pattern holds a bit each.
constexpr std::size_t kMaxPathFeatures = 64;

// Whether no way is longer than that.
bool paths_fit(const tree::ForestView& forest);

// The forest has one output, and a tree a round. contributions[f * rows + i] is what
// feature f adds to the score of row i over the mean of the background.
void contributions_by_background(const tree::ForestView& forest,
                                 MatrixView<const double> x,
                                 MatrixView<const double> background, Host& host,
                                 double* contributions);

}  // namespace rankmix::explain
