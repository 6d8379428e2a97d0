// Parts of binned data, with some of the rows and features and the same thresholds. Also
// values that represent bins.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::data {

// The given rows of the given features, in this order. For dense bins.
std::unique_ptr<BinnedMatrix> take_bins(const BinnedMatrix& from, View<const int> rows,
                                        const std::vector<std::size_t>& features,
                                        Host& host);

// For each bin of a feature, a value that falls into this bin: the threshold above the
// bin, or infinity for the last bin. Missing values are NaN. Tests against thresholds of
// the feature have the same result for the value of a bin as for the values that were
// binned.
std::vector<double> values_of_bins(const FeatureBins& feature);

// Writes these values of the rows begin .. end - 1 to `to`, column by column.
void write_values(const BinnedMatrix& bins,
                  const std::vector<std::vector<double>>& values, std::size_t begin,
                  std::size_t end, double* to);

}  // namespace rankmix::data
