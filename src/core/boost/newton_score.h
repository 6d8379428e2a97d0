// The split score of Newton steps: the decrease of the objective by a split. A node with
// gradient sum G and hessian sum H has the score G^2 / (H + l2). This is twice the
// decrease of the objective by the node's best step, to second order.
//
// Channels are the gradient of a row, in units of 2^-30 of the sum of magnitudes of all
// gradients; its hessian, in units of 2^-30 of the sum of all hessians; with a finer
// unit, the rounding error of the gradient; and how often the row counts as a document.
// Alternatively, the channels are one wide number as in packed_sums.h.
#pragma once
#include <cstddef>
#include <memory>

#include "core/boost/packed_sums.h"
#include "core/tree/level_finder.h"

namespace rankmix::boost {

struct NewtonOptions {
  double fine_unit = 0.0;      // unit of the third channel relative to the first; 0: none
  double l2 = 0.0;             // in units of the hessian
  double min_documents = 1.0;  // smallest number of documents on each side
  PackedBits packed;           // layout of wide numbers
};

std::unique_ptr<tree::LevelFinder> newton_finder(const NewtonOptions& options);

}  // namespace rankmix::boost
