#include "core/linear/gram.h"

// The core starts no threads, whatever the compiler is told.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>

namespace rankmix::linear {

std::vector<double> gram_matrix(const Features& features, View<const std::uint32_t> rows,
                                View<const double> times) {
  constexpr std::size_t rows_at_once = 512;
  using Matrix = Eigen::MatrixXd;
  const std::size_t inputs = features.inputs();
  const auto p = static_cast<Eigen::Index>(inputs);
  std::vector<double> sums(inputs * inputs, 0.0);
  Eigen::Map<Matrix> gram(sums.data(), p, p);
  std::vector<double> packed(std::min(rows_at_once, rows.size()) * inputs);
  for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, rows.size() - first);
    features.pack({rows.data() + first, count}, {times.data() + first, count},
                  packed.data());
    const Eigen::Map<const Matrix> block(packed.data(), static_cast<Eigen::Index>(count),
                                         p);
    gram.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
  }
  return sums;
}

}  // namespace rankmix::linear
