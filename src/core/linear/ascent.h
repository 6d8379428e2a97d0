// Coordinate ascent: the weights of a linear ranker by the metric itself.
//
// Problem: max over w of the mean over queries of a metric of the scores x w, which is
//          constant but for jumps.
// Given:   features, a metric and judged queries.
// Result:  for each of several starts the weights found, and the metric after each sweep.
// Algorithm: one weight after the other, in an order that is drawn for each sweep, goes
//          where the metric is highest, the others as they are: all values where a
//          ranking changes are found, and the middle of the best interval between two of
//          them is taken (weight_line.h). A restart ends when a whole sweep gains
//          nothing. The restarts run side by side, cut into pieces by queries, as many at
//          a time as fit in memory.
// Cost:    a weight costs what rank_lines.h says where the metric is a sum over ranks,
//          and what sweep.h says where not.
// Reference: Metzler and Croft 2007, doi:10.1007/s10791-006-9019-z.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/metric/judged.h"
#include "core/optimize/status.h"

namespace rankmix::linear {

struct AscentOptions {
  std::size_t starts = 30;
  std::size_t sweeps = 100;  // at most, of a start
  double tolerance = 0.0;    // a sweep that gains no more is the last
  std::uint64_t seed = 0;
  void validate() const;
};

struct AscentResult {
  std::vector<double> weights;  // of the features as they are; |weights / scale| sum to 1
  std::vector<double> values;   // the metric at the start and after each sweep
  // Stalled where no weight at all gained anything.
  optimize::Status status = optimize::Status::kLimit;
};

// `scale` has a number for each feature, 0 for those that are left out: the first start
// has weights in proportion to it, others are drawn from [-1, 1] times it.
std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            MatrixView<const double> x,
                                            View<const double> scale,
                                            const AscentOptions& options, Host& host);
std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            const SparseView& x, View<const double> scale,
                                            const AscentOptions& options, Host& host);

}  // namespace rankmix::linear
