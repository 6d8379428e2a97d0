// Coordinate ascent by steps of doubling length, as in RankLib.
//
// Problem, data and result: as in ascent.h. All starts have equal weights and differ only
//          in the order of features.
// Algorithm: a weight w is increased by 0.001 (by 0.05 |w| if 0.001 is more than half of
//          |w|), then by twice as much, and so on. If no step is better than the best so
//          far, decreases are tried, then w = 0. The best step is taken, and weights are
//          divided by the sum of their magnitudes. With p features, a start ends when p -
//          1 features in a row gained nothing, or when the total gain of the start is
//          below the tolerance after a sweep. The objective can include a penalty: slack
//          times the distance of the weights from equal ones.
// Reference: Metzler and Croft 2007, doi:10.1007/s10791-006-9019-z; CoorAscent of RankLib
//          (Dang, The Lemur Project), which uses the same rules.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/linear/ascent.h"

namespace rankmix::linear {

struct StepOptions {
  std::size_t starts = 5;
  std::size_t steps = 25;    // in each direction
  double tolerance = 0.001;  // minimum gain of a start, checked after each sweep
  double slack = 0.0;        // factor of the penalty
  std::uint64_t seed = 0;
  void validate() const;
};

// `scale` as in coordinate_ascent(). Weights here belong to features divided by `scale`.
std::vector<AscentResult> step_search(const metric::Judged& judged,
                                      MatrixView<const double> x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host);
std::vector<AscentResult> step_search(const metric::Judged& judged, const SparseView& x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host);

}  // namespace rankmix::linear
