// Finds the leaves that training rows reach in the rounds of a trained model.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/boost/weights.h"
#include "core/data/bins.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

// Writes the leaf id of each row in a round, as in BaseClassifier, and returns the votes
// of the leaves. Throws InvalidArgument if the model has a threshold that `bins` lacks.
Votes replay_round(const tree::ForestView& forest, std::size_t round,
                   const data::BinnedMatrix& bins, std::vector<std::uint32_t>& leaf_ids,
                   Host& host);

}  // namespace rankmix::boost
