// The randomised Tukey HSD test: permutations of the rankers within queries.
//
// Under the complete null hypothesis (all rankers are equally good) every order of the k
// values of a query is equally likely. A permutation reorders the values of each query.
// The range is the largest mean minus the smallest mean. The p-value of a pair is the
// fraction of permutations whose range reaches the pair's difference of means (Carterette
// 2012, doi:10.1145/2094072.2094076; Sakai 2018, Laboratory Experiments in Information
// Retrieval). Single pairs are tested under the complete null hypothesis, so the test is
// conservative when some rankers differ.
//
// Random numbers are functions of their index (random.h), so results do not depend on the
// number of threads.
// Cost: O(queries x rankers x resamples).
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

// One range for each resample. `values` are queries x rankers.
std::vector<double> permuted_ranges(MatrixView<const double> values,
                                    std::size_t resamples, std::uint64_t seed,
                                    Host& host);

}  // namespace rankmix::compare
