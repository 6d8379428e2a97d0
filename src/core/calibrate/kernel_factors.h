// Low-rank factors of a kernel matrix by pivoted Cholesky factorisation: K is
// approximately G G'. G has one column for each chosen point. Each step chooses the point
// with the largest diagonal element of K - G G'. The largest remaining diagonal element
// bounds the error.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix::calibrate {

struct KernelFactors {
  std::vector<std::size_t> chosen;
  std::vector<double> g;  // points x chosen; columns are padded to `stride` rows
  std::size_t stride = 0;
  double left = 0.0;  // largest diagonal element of K - G G'

  std::size_t rank() const { return chosen.size(); }
  // The rows of G at the chosen points: a lower triangular L with L L' = K at these
  // points.
  std::vector<double> at_chosen() const;
};

// Factors of the kernel exp(-|x - x'|^2 / 2). x is `count` x `dimensions`. Stops if the
// remaining diagonal is at most `tolerance`, or after `most` points.
KernelFactors factor_kernel(const std::vector<double>& x, std::size_t count,
                            std::size_t dimensions, std::size_t most, double tolerance);

}  // namespace rankmix::calibrate
