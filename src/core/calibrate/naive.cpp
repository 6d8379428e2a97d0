#include "core/calibrate/naive.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/base/errors.h"

namespace rankmix::calibrate {
namespace {

// Clips to [-1, 1] but keeps NaN.
double clipped(double x) { return x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x; }

}  // namespace

void naive_scores(MatrixView<const double> f, double range, View<const double> gains,
                  std::size_t begin, std::size_t end, double* out) {
  const std::size_t grades = f.cols();
  if (gains.size() != grades) {
    throw InvalidArgument("discriminants and gains do not fit together");
  }
  std::vector<double> positive(grades);
  for (std::size_t i = begin; i < end; ++i) {
    // The rounding errors are summed, too. Users see probabilities from R's rowSums(),
    // which computes with more digits.
    double sum = 0.0;
    double errors = 0.0;
    for (std::size_t l = 0; l < grades; ++l) {
      positive[l] = range > 0.0 ? 1.0 + clipped(f(i, l) / range) : f(i, l) * 0.0;
      const double before = sum;
      sum += positive[l];
      const double added = sum - before;
      errors += (before - (sum - added)) + (positive[l] - added);
    }
    sum += errors;
    if (sum == 0.0) {
      std::fill(positive.begin(), positive.end(), 1.0);
      sum = static_cast<double>(grades);
    }
    double score = 0.0;
    for (std::size_t l = 0; l < grades; ++l) {
      score += gains[l] * (positive[l] / sum);
    }
    out[i - begin] = score;
  }
}

}  // namespace rankmix::calibrate
