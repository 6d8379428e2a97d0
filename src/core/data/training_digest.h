// A hash of training data. Data sets that train the same model have the same hash: dense
// or sparse, in any order of rows, on any number of threads and ranks.
//
// A change of a single bin, grade or weight always changes the hash. With several
// changes, the hash stays the same with a probability of about 2^-64.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::data {

// If `weights` is empty, all weights are 1.
std::uint64_t training_digest(const BinnedMatrix& bins, View<const int> grades,
                              View<const double> weights, Host& host);

// The query of each row as an index from 1, and a hash of the id of each query.
struct HashedQueries {
  View<const int> of_rows;
  View<const std::uint64_t> hashes;
};

// A hash of the data that does not depend on the order of rows. `grade_of` returns the
// grade of a row, or 0 for all rows if there are no grades.
std::uint64_t rows_digest(const BinnedMatrix& bins,
                          FunctionRef<double(std::size_t)> grade_of,
                          const HashedQueries& queries, Host& host);

}  // namespace rankmix::data
