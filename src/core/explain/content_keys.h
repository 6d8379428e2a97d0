// A number for each document that depends on its features only: a weighted sum of the
// features with quasi-random coefficients. Equal documents have equal numbers, and
// similar documents have similar numbers.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::explain {

// Each feature is divided by its largest magnitude among documents of positive weight. A
// missing value counts as -sqrt(3). Features without a positive magnitude are ignored.
std::vector<double> content_keys(MatrixView<const double> x, View<const double> weights);
std::vector<double> content_keys(const SparseView& x, View<const double> weights);

// The term that a feature adds to the key of a document. `largest` is its largest
// magnitude.
double key_term(double value, double largest, std::size_t feature);

}  // namespace rankmix::explain
