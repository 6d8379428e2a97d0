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

// The given rows of the given features, in this order. For dense bins. Throws
// InvalidArgument for rows and features that `from` does not have, as do the functions
// below.
std::unique_ptr<BinnedMatrix> take_bins(const BinnedMatrix& from, View<const int> rows,
                                        const std::vector<std::size_t>& features,
                                        Host& host);

// The numbers of the levels of a factor for each row: a number from 1 to `count`, or any
// other value for a missing level.
struct LevelNumbers {
  std::size_t position;  // of the factor among the features
  View<const int> numbers;
  int count;
};

// All rows of the given features. The features at the positions of the factors are
// replaced by the numbers of their levels. Their bins are those of the numbers as values, with a bin
// for each number. For dense bins.
std::unique_ptr<BinnedMatrix> with_levels(const BinnedMatrix& from,
                                          const std::vector<std::size_t>& features,
                                          const std::vector<LevelNumbers>& factors,
                                          Host& host);

// For each row, the position of the first of these columns of 0 and 1 that is 1, or -1.
// A column without thresholds is constant: `ones` says which of these are 1.
std::vector<int> first_ones(const BinnedMatrix& bins,
                            const std::vector<std::size_t>& columns,
                            const std::vector<bool>& ones, Host& host);

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
