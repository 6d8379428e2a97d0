// Sums of the values of rounds over an ensemble, at several sizes in one pass.
//
// There are two methods with the same result, bit for bit: each row walks through the
// trees, or, where the processor has AVX2 and there are enough rows to justify preparing
// the forest, sliced.h asks many rows at a time. It asks bytes, which are made in two
// ways: few rows, as of a query, are ranked (ranked_rows.h), for many the thresholds are
// sorted (byte_columns.h).
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// out[(s * outputs + l) * rows + i] = sum over the first stages[s] rounds r of
// weights[r] * (value l of round r for row i of x). The value of a round is the product
// over its trees of the values of the leaves that the row falls into. `stages` increases
// and ends at or below the number of rounds.
void predict_staged(const ForestView& forest, View<const double> weights,
                    MatrixView<const double> x, View<const int> stages, Host& host,
                    double* out);
void predict_staged(const ForestView& forest, View<const double> weights,
                    const SparseView& x, View<const int> stages, Host& host, double* out);

// The same of several forests, whose numbers of stages may differ: where few rows are
// ranked, once for all.
struct ForestPrediction {
  ForestView forest;
  View<const double> weights;
  View<const int> stages;
  double* out;
};
void predict_forests(const std::vector<ForestPrediction>& forests,
                     MatrixView<const double> x, Host& host);

}  // namespace rankmix::tree
