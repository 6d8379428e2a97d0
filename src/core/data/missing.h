// Missing values, for what needs a number for each of them.
//
// Given features, in which NaN is missing, and weights of the rows. The known values of a
// feature have a weighted mean, which is 0 where none is known; rows of weight 0 are as
// good as absent. Filling gives a matrix in which each missing value is a number of its
// feature; behind the features come those that mark some of them: 1 where the value was
// missing, else 0. Sums are exact: they depend neither on the order of the rows nor on
// which zeros of a sparse matrix are stored.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

struct KnownValues {
  std::vector<double> mean;     // of each feature
  std::vector<double> missing;  // how many values are missing
};

// `weights` is empty where all rows have equal weights.
KnownValues known_values(MatrixView<const double> x, View<const double> weights,
                         Host& host);
KnownValues known_values(const SparseView& x, View<const double> weights, Host& host);

// `numbers` has one for each feature, `marked` the features to mark, from 0. `out` has as
// many rows as x, and a column for each feature and each mark.
void fill_missing(MatrixView<const double> x, View<const double> numbers,
                  View<const int> marked, Host& host, MatrixView<double> out);

}  // namespace rankmix::data
