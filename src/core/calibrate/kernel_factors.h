// Factors of a kernel matrix: K is about G G', where G has a column for each document
// that was chosen, one after the other, where the variance that the others leave is
// largest (pivoted Cholesky factors). What is left of the diagonal of K - G G' bounds the
// error.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix::calibrate {

struct KernelFactors {
  std::vector<std::size_t> chosen;
  std::vector<double> g;  // points x chosen, filled up to `stride` rows
  std::size_t stride = 0;
  double left = 0.0;  // the largest number of the diagonal of K - G G'

  std::size_t rank() const { return chosen.size(); }
  // G at the chosen points: the lower triangular L with L L' = K there.
  std::vector<double> at_chosen() const;
};

// Of exp(-|x - x'|^2 / 2) for points x, `count` x `dimensions`; stops where no more than
// `tolerance` is left, or at `most`.
KernelFactors factor_kernel(const std::vector<double>& x, std::size_t count,
                            std::size_t dimensions, std::size_t most, double tolerance);

}  // namespace rankmix::calibrate
