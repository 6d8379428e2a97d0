// Zero mean and unit standard deviation of every feature in every query.
//
// The deviation has the divisor n - 1 and is that of the values that are not NaN, which
// stay NaN. A feature that is constant in a query becomes 0 there. Two passes over the
// values of a query, so that nothing cancels.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::data {

// `out` has the size of x and may not overlap it.
void standardize(MatrixView<const double> x, const Queries& queries, Host& host,
                 MatrixView<double> out);

}  // namespace rankmix::data
