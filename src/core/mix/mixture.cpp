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

void mix_first(const std::vector<const double*>& members, View<const int> order,
               View<const double> weights, View<const int> ends, Host& host,
               MatrixView<double> out) {
  const std::size_t last =
      ends.empty() ? 0 : static_cast<std::size_t>(ends[ends.size() - 1]);
  if (order.size() != weights.size() || order.size() > members.size() ||
      last > order.size() || out.cols() != ends.size()) {
    throw InvalidArgument("members, order, weights and result do not fit together");
  }
  // Number of rows whose sums fit into the cache.
  constexpr std::size_t rows_at_a_time = 1024;
  const std::size_t blocks = (out.rows() + rows_at_a_time - 1) / rows_at_a_time;
  host.parallel_for(blocks, [&](std::size_t block) {
    const std::size_t begin = block * rows_at_a_time;
    const std::size_t count = std::min(rows_at_a_time, out.rows() - begin);
    double sums[rows_at_a_time] = {};
    double total = 0.0;
    std::size_t j = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      for (; j < static_cast<std::size_t>(ends[k]); ++j) {
        const double* member = members[static_cast<std::size_t>(order[j])] + begin;
        const double weight = weights[j];
        total += weight;
        if (weight > 0.0) {  // many weights may be 0
          for (std::size_t i = 0; i < count; ++i) {
            sums[i] += weight * member[i];
          }
        }
      }
      double* to = out.col(k) + begin;
      for (std::size_t i = 0; i < count; ++i) {
        to[i] = sums[i] / total;
      }
    }
  });
}

}  // namespace rankmix::mix
