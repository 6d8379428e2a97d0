// A digest of a data set: data sets that train the same model have the same digest, dense
// or sparse, on any number of threads.
//
// A single other bin, grade or weight changes it for certain, several do but for a chance
// of about 2^-64.
#pragma once
#include <cstdint>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::data {

// `weights` has a weight for each row, or is empty.
std::uint64_t training_digest(const BinnedMatrix& bins, View<const int> grades,
                              View<const double> weights, Host& host);

}  // namespace rankmix::data
