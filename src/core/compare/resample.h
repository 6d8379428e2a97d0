// Bootstrap of paired differences d_1 .. d_n, one for each query: means of n queries drawn
// with replacement. For sign flips see joint_flips.h.
//
// Each random number is a function of its index (random.h), so results do not depend on
// the number of threads. Cost: O(n x resamples).
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::compare {

// One mean for each resample: sum w d / sum w over the drawn queries. If `weights` is
// empty, all weights are 1. The mean is 0 if all drawn weights are 0.
std::vector<double> bootstrap_means(View<const double> differences,
                                    View<const double> weights, std::size_t resamples,
                                    std::uint64_t seed, Host& host);

}  // namespace rankmix::compare
