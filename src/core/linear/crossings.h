// The exact best step along a line of scores.
//
// Problem: documents have the scores a + t b. Rankings, and so any metric of them, change
//          only where scores of two documents of a query cross: the metric is constant
//          between crossings.
// Given:   a metric and judged queries, a, b, and the range of t.
// Result:  a t in the middle of the interval where the metric is highest; of equal ones
//          the one next to 0, and 0 itself if the interval contains it.
// Algorithm: the crossings of each query are gone through in their order (sweep.h);
//          changes of all queries are sorted and added up.
// Where scores are rounded, or documents tie at the end of an interval, the value may
// differ from that of the metric itself: callers compare.
//
// Reference: Metzler and Croft 2007, doi:10.1007/s10791-006-9019-z, who try some steps;
// the sweep is that of kinetic sorting.
#pragma once
#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

// `least` <= 0 <= `most`; a and b have a number for each row.
double best_step(const metric::Judged& judged, const double* a, const double* b,
                 double least, double most, Host& host);

}  // namespace rankmix::linear
