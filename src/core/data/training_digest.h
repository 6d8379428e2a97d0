// A hash of training data. Data sets that train the same model have the same hash: dense
// or sparse, in any order of rows, on any number of threads and ranks.
//
// A change of a single bin, grade or weight always changes the hash. With several
// changes, the hash stays the same with a probability of about 2^-64.
#pragma once
#include <cstdint>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::data {

// If `weights` is empty, all weights are 1.
std::uint64_t training_digest(const BinnedMatrix& bins, View<const int> grades,
                              View<const double> weights, Host& host);

// A hash of the data that does not depend on the order of rows. `queries` has a hash of
// the query of each row. Empty `grades` mean that the rows have none.
std::uint64_t rows_digest(const BinnedMatrix& bins, View<const double> grades,
                          View<const std::uint64_t> queries, Host& host);

}  // namespace rankmix::data
