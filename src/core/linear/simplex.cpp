#include "core/linear/simplex.h"

#include <algorithm>

namespace rankmix::linear {

std::size_t project_to_simplex(const double* u, std::size_t count, double* a) {
  double sorted[32];
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t at = k;
    for (; at > 0 && sorted[at - 1] < u[k]; --at) {
      sorted[at] = sorted[at - 1];
    }
    sorted[at] = u[k];
  }
  // The largest s numbers stay positive after the subtraction of their common shift.
  double sum = 0.0;
  double shift = 0.0;
  for (std::size_t s = 0; s < count; ++s) {
    sum += sorted[s];
    const double candidate = (sum - 1.0) / static_cast<double>(s + 1);
    if (sorted[s] <= candidate) {
      break;
    }
    shift = candidate;
  }
  std::size_t support = 0;
  for (std::size_t k = 0; k < count; ++k) {
    a[k] = std::max(0.0, u[k] - shift);
    support += a[k] > 0.0 ? 1 : 0;
  }
  return support;
}

}  // namespace rankmix::linear
