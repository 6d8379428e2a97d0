// Predictions of a forest for binned data.
//
// Each bin is represented by a value of the bin, block of rows by block, so that the
// usual prediction does the work and memory is bounded. This is exact if the thresholds
// of the forest are thresholds of the bins, which is checked.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// As predict_staged() in core/tree/predict.h. Throws InvalidArgument if the forest has a
// threshold that the bins lack.
void predict_staged(const ForestView& forest, View<const double> weights,
                    const data::BinnedMatrix& x, View<const int> stages, Host& host,
                    double* out);

}  // namespace rankmix::tree
