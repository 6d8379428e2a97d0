// The exact best step along a line of scores.
//
// Problem: documents have the scores a + t b. The rankings, and so the metric, change
//          only where the scores of two documents of a query cross.
// Given:   a metric and judged queries, a, b, and the range of t.
// Result:  the middle of the interval of t with the highest metric. If several intervals
//          have the highest metric, the interval nearest to 0 is used. The result is 0 if
//          the interval contains 0.
// Algorithm: the crossings of each query are visited in order (sweep.h). The changes of
//          all queries are sorted and summed.
// The metric at the result may differ if scores are rounded or documents tie at the end
// of an interval. So callers must evaluate the metric at the result.
//
// Reference: Metzler and Croft 2007, doi:10.1007/s10791-006-9019-z, who try a few step
// sizes. The sweep used here is kinetic sorting.
#pragma once
#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

// Requires least <= 0 <= most; `a` and `b` have one number for each row.
double best_step(const metric::Judged& judged, const double* a, const double* b,
                 double least, double most, Host& host);

}  // namespace rankmix::linear
