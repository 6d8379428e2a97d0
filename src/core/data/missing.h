// Fills missing values (NaN) of features.
//
// known_values() computes the weighted mean of the known values of each feature. The mean
// is 0 if no value is known. Rows of weight 0 are ignored. fill_missing() replaces
// missing values by one number for each feature. It can append indicator columns: 1 if
// the value of a feature was missing, else 0. Sums are exact, so they do not depend on
// the order of the rows or on which zeros of a sparse matrix are stored.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

struct KnownValues {
  std::vector<double> mean;     // mean of the known values of each feature
  std::vector<double> missing;  // number of missing values of each feature
};

// If `weights` is empty, all rows have the same weight.
KnownValues known_values(MatrixView<const double> x, View<const double> weights,
                         Host& host);
KnownValues known_values(const SparseView& x, View<const double> weights, Host& host);

// `numbers` has one number for each feature. `marked` lists the features, from 0, that
// get an indicator column. `out` has one row for each of the rows of x from `first` on, and
// one column for each feature and each element of `marked`.
void fill_missing(MatrixView<const double> x, std::size_t first,
                  View<const double> numbers, View<const int> marked, Host& host,
                  MatrixView<double> out);

}  // namespace rankmix::data
