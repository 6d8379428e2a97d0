// A number for each document, a sum of its features with coefficients that have no
// pattern: documents of the same content have the same number, and similar ones are
// near each other.
#pragma once
#include <vector>

#include "core/base/views.h"

namespace rankmix::explain {

// Each feature counts in units of its largest magnitude among the documents of positive
// weight; a missing value counts -sqrt(3) of them. Zeros of a sparse matrix count
// nothing.
std::vector<double> content_keys(MatrixView<const double> x, View<const double> weights);
std::vector<double> content_keys(const SparseView& x, View<const double> weights);

}  // namespace rankmix::explain
