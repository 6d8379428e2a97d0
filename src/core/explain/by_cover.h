// Shapley values of the scores of a forest, a feature that is not known taken by the
// fraction of the training documents that went to each side.
//
// On the way to a leaf of value v let feature k be decided by o_k(x), whether all its
// splits let x pass, or, where it is not known, by z_k, the product of the fractions. The
// Shapley weights s! (d - s - 1)! / d! of subsets are integrals of t^s (1 - t)^(d - s -
// 1), so that the leaf gives feature j
//   v (o_j - z_j) integral over [0, 1] of prod_{k != j} (t o_k + (1 - t) z_k) dt,
// a polynomial of degree d - 1, of which a quadrature of at least d / 2 nodes is exact.
// The product at each t goes down the tree and the sum over leaves up again, so that an
// edge costs a step for each t, however many leaves there are below.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::explain {

// How many training documents came to each node and leaf.
struct Covers {
  View<const int> nodes;
  View<const int> leaves;
};

// The forest has one output, and a tree a round. contributions[f * rows + i] of feature f
// to the score of row i, which is their sum and what is returned: the mean by covers.
double contributions_by_cover(const tree::ForestView& forest, const Covers& covers,
                              MatrixView<const double> x, Host& host,
                              double* contributions);

}  // namespace rankmix::explain
