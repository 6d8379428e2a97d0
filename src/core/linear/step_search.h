// Coordinate ascent by steps of doubling length, as RankLib does it.
//
// Problem, given, result: as in ascent.h; all starts have equal weights, and differ in
//          the orders of their features.
// Algorithm: a weight w is moved by 0.001, or 0.05 |w| where that is more than half of
//          |w|, then by twice as much, and so on, for so many steps; where none is better
//          than the best so far, downwards, and then to 0. The best step is taken, and
//          weights are divided by the sum of their magnitudes. A start ends when all
//          features but one in a row gained nothing, or when no more than the tolerance
//          has been gained since it began. From what is gained a penalty may be taken: so
//          many times the distance of the weights from equal ones.
// Reference: Metzler and Croft 2007, doi:10.1007/s10791-006-9019-z; CoorAscent of RankLib
//          (Dang, The Lemur Project), whose rules these are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/linear/ascent.h"

namespace rankmix::linear {

struct StepOptions {
  std::size_t starts = 5;
  std::size_t steps = 25;    // in each direction
  double tolerance = 0.001;  // see above
  double slack = 0.0;        // of the penalty
  std::uint64_t seed = 0;
  void validate() const;
};

// `scale` as of coordinate_ascent(): weights here are those of features divided by it.
std::vector<AscentResult> step_search(const metric::Judged& judged,
                                      MatrixView<const double> x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host);
std::vector<AscentResult> step_search(const metric::Judged& judged, const SparseView& x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host);

}  // namespace rankmix::linear
