#include "core/mix/mixture.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::mix {

void mix_scores(MatrixView<const double> scores, MatrixView<const double> weights,
                Host& host, MatrixView<double> out) {
  if (weights.rows() != scores.cols() || out.rows() != scores.rows() ||
      out.cols() != weights.cols()) {
    throw InvalidArgument("scores, weights and result do not fit together");
  }
  for_each_block(host, scores.rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t c = 0; c < weights.cols(); ++c) {
                     double* sum = out.col(c);
                     std::fill(sum + begin, sum + end, 0.0);
                     for (std::size_t m = 0; m < weights.rows(); ++m) {
                       const double weight = weights(m, c);
                       const double* member = scores.col(m);
                       for (std::size_t i = begin; i < end; ++i) {
                         sum[i] += weight * member[i];
                       }
                     }
                   }
                 });
}

}  // namespace rankmix::mix
