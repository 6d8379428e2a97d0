// Coordinate ascent: weights of a linear ranker that maximise a metric directly.
//
// Problem: max over w of the mean over queries of a metric of the scores X w, which is
//          piecewise constant in w.
// Given:   features, a metric and judged queries.
// Result:  for each of several starts, the weights and the metric after each sweep.
// Algorithm: a sweep optimises the weights one by one, in random order. For each weight,
//          all values at which a ranking changes are computed. The weight becomes the
//          middle of the best interval between two such values (weight_line.h). A restart
//          ends when a whole sweep gains nothing. Restarts run in parallel, as many at a
//          time as fit in memory. Each restart is split into blocks of queries.
// Cost:    for one weight, see rank_lines.h if the metric is a sum over ranks, else
//          sweep.h.
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
  std::size_t sweeps = 100;  // maximum for each start
  double tolerance = 0.0;    // stop if a sweep gains no more than this
  std::uint64_t seed = 0;
  void validate() const;
};

struct AscentResult {
  std::vector<double> weights;  // for unscaled features; the sum of |weight / scale| is 1
  std::vector<double> values;   // the metric at the start and after each sweep
  // kStalled if the start was not improved.
  optimize::Status status = optimize::Status::kLimit;
};

// `scale` has one number for each feature; 0 leaves a feature out. The first start has
// weights proportional to `scale`. The weights of other starts are random in [-1, 1]
// times `scale`.
std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            MatrixView<const double> x,
                                            View<const double> scale,
                                            const AscentOptions& options, Host& host);
std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            const SparseView& x, View<const double> scale,
                                            const AscentOptions& options, Host& host);

}  // namespace rankmix::linear
