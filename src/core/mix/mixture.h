// Weighted sums and means of the members' scores.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::mix {

// out(i, c) = sum_m weights(m, c) scores(i, m), summed in the order of the members.
void mix_scores(MatrixView<const double> scores, MatrixView<const double> weights,
                Host& host, MatrixView<double> out);

// Weighted means of the first ends[k] members in `order`, for all k at the cost of the
// largest ends[k] alone: out(i, k) = sum_j weights[j] members[order[j]][i] / sum_j
// weights[j] over j < ends[k]. `ends` must be positive and increasing, and the first
// weight positive.
void mix_first(const std::vector<const double*>& members, View<const int> order,
               View<const double> weights, View<const int> ends, Host& host,
               MatrixView<double> out);

}  // namespace rankmix::mix
