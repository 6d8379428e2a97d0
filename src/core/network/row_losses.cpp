#include "core/network/row_losses.h"

#include <algorithm>
#include <cmath>

#include "core/base/exp.h"
#include "core/base/log.h"
#include "core/base/simd.h"

namespace rankmix::network {
namespace {

constexpr std::size_t kWide = 8;

double weight_of(const LossRows& rows, std::size_t i) {
  return rows.weights == nullptr ? 1.0 : rows.weights[i];
}

void find_squared(const LossRows& rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double root = std::sqrt(weight_of(rows, i));
    rows.roots[i] = root;
    rows.residuals[i] = root * (rows.targets[i] - rows.outputs[i]);
    rows.losses[i] = rows.residuals[i] * rows.residuals[i];
  }
}

// kWide rows. `margin` is the output, negated if the target is 0. With e = exp(-|margin|),
// the probability of the target is 1 / (1 + e) or e / (1 + e). No number overflows.
struct Wide {
  double margin[kWide];
  double loss[kWide];
  double root[kWide];
  double residual[kWide];
};

RANKMIX_INLINE void find_entropy(Wide& wide) {
  double e[kWide];
  double sum[kWide];
  double logs[kWide];
  for (std::size_t i = 0; i < kWide; ++i) {
    e[i] = wide.margin[i] < 0.0 ? wide.margin[i] : -wide.margin[i];
  }
  exp_in_place<kWide>(e);
  for (std::size_t i = 0; i < kWide; ++i) {
    sum[i] = 1.0 + e[i];
    logs[i] = sum[i];
  }
  log_in_place<kWide>(logs);
  for (std::size_t i = 0; i < kWide; ++i) {
    const double half = std::sqrt(e[i]);  // exp(-|margin| / 2)
    const double wrong = wide.margin[i] < 0.0 ? -wide.margin[i] : 0.0;
    // Adds what the sum 1 + e has lost by rounding.
    wide.loss[i] = wrong + (logs[i] + (e[i] - (sum[i] - 1.0)) / sum[i]);
    wide.root[i] = half / sum[i];
    wide.residual[i] = wide.margin[i] < 0.0 ? 1.0 / half : half;
  }
}
void entropy_plain(Wide& wide) { find_entropy(wide); }
RANKMIX_AVX2 void entropy_avx2(Wide& wide) { find_entropy(wide); }

void find_cross_entropy(const LossRows& rows) {
  const auto find = has_avx2() ? entropy_avx2 : entropy_plain;
  for (std::size_t first = 0; first < rows.count; first += kWide) {
    const std::size_t count = std::min(kWide, rows.count - first);
    Wide wide{};
    for (std::size_t i = 0; i < count; ++i) {
      const double output = rows.outputs[first + i];
      wide.margin[i] = rows.targets[first + i] > 0.5 ? output : -output;
    }
    find(wide);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = first + i;
      const double weight = weight_of(rows, row);
      const double root = std::sqrt(0.5 * weight);
      rows.losses[row] = weight * wide.loss[i];
      rows.roots[row] = root * wide.root[i];
      rows.residuals[row] =
          root * (rows.targets[row] > 0.5 ? wide.residual[i] : -wide.residual[i]);
    }
  }
}

}  // namespace

void find_losses(RowLoss loss, const LossRows& rows) {
  if (loss == RowLoss::kSquared) {
    find_squared(rows);
  } else {
    find_cross_entropy(rows);
  }
}

}  // namespace rankmix::network
