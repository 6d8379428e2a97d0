// Standardises every feature within every query to mean 0 and standard deviation 1.
//
// The standard deviation has the divisor n - 1 and ignores NaN; NaN stays NaN. A feature
// that is constant within a query becomes 0 there. Mean and squares are computed in two
// passes, which avoids cancellation.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::data {

// `out` has the size of x and must not overlap it.
void standardize(MatrixView<const double> x, const Queries& queries, Host& host,
                 MatrixView<double> out);

}  // namespace rankmix::data
