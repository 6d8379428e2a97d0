// The split score of Newton steps: by how much a split lowers the objective. A node with
// the sums G of gradients and H of hessians has the score G^2 / (H + l2), twice the
// decrease by its best step to second order.
//
// Channels are the gradient of a row, in units of 2^-30 of the sum of their magnitudes;
// its hessian, in units of 2^-30 of the sum; where there is a finer unit, what rounding
// took from the gradient; and how often the row counts as a document. Or they are one
// wide number as in packed_sums.h.
#pragma once
#include <cstddef>
#include <memory>

#include "core/boost/packed_sums.h"
#include "core/tree/level_finder.h"

namespace rankmix::boost {

struct NewtonOptions {
  double fine_unit = 0.0;  // of the third channel in units of the first, 0 without one
  double l2 = 0.0;         // in units of the hessian
  double min_documents = 1.0;  // on each side
  PackedBits packed;           // of wide numbers
};

std::unique_ptr<tree::LevelFinder> newton_finder(const NewtonOptions& options);

}  // namespace rankmix::boost
