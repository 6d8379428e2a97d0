// Merges the tallies (core/data/bucket_ranks.h) of several ranks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/reducer.h"
#include "core/data/bucket_ranks.h"

namespace rankmix::data {

// How many numbers one reduction adds up. Results do not depend on these sizes. Tests use
// smaller sizes.
struct SharedSizes {
  std::size_t columns = 64;  // number of columns whose tallies are merged together
  // As in the constructor of BucketRanks, for the values of all ranks.
  std::size_t gather = std::size_t{1} << 13;
  std::size_t parts = std::size_t{1} << 13;
  int top_bits = 12;
};

// Each tally becomes the tally of the values of all ranks. All ranks have tallies of the
// same passes.
void merge_tallies(const std::vector<BucketRanks::Tally*>& tallies, Reducer& reducer);

// Evenly spaced values among the sorted values of all ranks: the value at rank floor((k -
// 0.5) / count * n) + 1 of n values, for k from 1 to `count`. A value is repeated
// counts[i] times. Empty `counts` are ones.
std::vector<double> spread_values(View<const double> values,
                                  const std::vector<std::uint64_t>& counts,
                                  std::size_t count, Host& host,
                                  const SharedSizes& sizes = {});

}  // namespace rankmix::data
