// Shapley values of the scores of a forest. At a split on a feature outside the
// coalition, a row goes to both sides, with the fractions of the training documents of
// each side.
//
// Consider a leaf of value v whose path has d features. o_k(x) is 1 if all splits on
// feature k let x pass, else 0. z_k is the product of the fractions at the splits on k.
// The Shapley weights s! (d - s - 1)! / d! of coalitions of size s are integrals of t^s
// (1 - t)^(d - s - 1). So the leaf contributes to feature j
//   v (o_j - z_j) integral over [0, 1] of prod_{k != j} (t o_k + (1 - t) z_k) dt.
// The integrand is a polynomial of degree d - 1, for which a quadrature with at least d /
// 2 nodes is exact. At each node t, products are computed from the root to the leaves and
// sums over leaves back to the root. So an edge costs one step for each t, regardless of
// the number of leaves below it.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::explain {

// Number of training documents that reached each node and each leaf of the forest.
struct Covers {
  View<const int> nodes;
  View<const int> leaves;
};

// The forest must have one output and one tree a round. contributions[f * rows + i] is
// the contribution of feature f to the score of row i. Returns the mean score by covers;
// the score of a row is this mean plus the sum of its contributions.
double contributions_by_cover(const tree::ForestView& forest, const Covers& covers,
                              MatrixView<const double> x, Host& host,
                              double* contributions);

}  // namespace rankmix::explain
