// Predictions of a forest: sums of the values of its rounds, after several numbers of
// rounds in one pass.
//
// There are two methods, which give the same result, bit for bit. In the first, each row
// walks through the trees. The second (sliced.h) tests many rows at a time on features
// that were converted to bytes. It needs AVX2, and enough rows to justify preparing the
// forest. Few rows, as of one query, are converted by ranking the rows (ranked_rows.h),
// many rows by sorting the thresholds (byte_columns.h). Forests that split factors by
// sets of levels only use the first method.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// out[(s * outputs + l) * rows + i] = sum over the first stages[s] rounds r of weights[r]
// * (value l of round r for row i of x). The value of a round is the product over its
// trees of the values of the leaf that the row reaches. `stages` increases and must not
// exceed the number of rounds.
void predict_staged(const ForestView& forest, View<const double> weights,
                    MatrixView<const double> x, View<const int> stages, Host& host,
                    double* out);
void predict_staged(const ForestView& forest, View<const double> weights,
                    const SparseView& x, View<const int> stages, Host& host, double* out);

// The arguments of predict_staged() for one of several forests, whose stages may differ.
// If the few-rows method is used, rows are ranked once for all forests.
struct ForestPrediction {
  ForestView forest;
  View<const double> weights;
  View<const int> stages;
  double* out;
};
void predict_forests(const std::vector<ForestPrediction>& forests,
                     MatrixView<const double> x, Host& host);

}  // namespace rankmix::tree
