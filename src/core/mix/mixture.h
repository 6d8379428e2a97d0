// Weighted sums of the members' scores.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::mix {

// out(i, c) = sum_m weights(m, c) scores(i, m), summed in the order of the members.
void mix_scores(MatrixView<const double> scores, MatrixView<const double> weights,
                Host& host, MatrixView<double> out);

}  // namespace rankmix::mix
