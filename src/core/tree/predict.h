// Sums of tree values over an ensemble, at several ensemble sizes in one pass.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// out[(s * outputs + l) * rows + i] = sum over the first stages[s] trees t of
// weights[t] * (value l of the leaf of tree t that row i of x falls into).
// `stages` increases and ends at or below the number of trees.
void predict_staged(const ForestView& forest, View<const double> weights,
                    MatrixView<const double> x, View<const int> stages, Host& host,
                    double* out);
void predict_staged(const ForestView& forest, View<const double> weights,
                    const SparseView& x, View<const int> stages, Host& host, double* out);

}  // namespace rankmix::tree
