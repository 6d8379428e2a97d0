// The losses of a single-layer network, row by row: squared error with the output as
// prediction, and cross-entropy with the logistic function of the output as probability.
//
// A row has the loss l(f) of its output f. Training needs `root` and `residual`: root^2 is
// half the second derivative of l, and root * residual is minus half the first derivative.
#pragma once
#include <cstddef>

namespace rankmix::network {

enum class RowLoss { kSquared, kCrossEntropy };

// Arrays of one number for each row. Targets of kCrossEntropy are 0 or 1.
struct LossRows {
  std::size_t count;
  const double* outputs;
  const double* targets;
  const double* weights;  // null: all are 1
  double* losses;
  double* roots;
  double* residuals;
};

void find_losses(RowLoss loss, const LossRows& rows);

}  // namespace rankmix::network
