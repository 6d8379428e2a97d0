#include "core/calibrate/soft_ndcg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/blocks.h"
#include "core/objective/soft_dcg.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kQueryBlock = 64;

}  // namespace

std::vector<double> exponential_gains(std::size_t grades) {
  std::vector<double> gains(grades);
  for (std::size_t l = 0; l < grades; ++l) {
    gains[l] = std::ldexp(1.0, static_cast<int>(l)) - 1.0;
  }
  return gains;
}

SigmoidTarget soft_ndcg_target(double sigma, const HeldOut& held, double a, double b,
                               Derivatives derivatives, Host& host) {
  check_judged(held.f, held.grades, held.weights);
  const std::vector<double> gain = exponential_gains(held.f.cols());
  std::vector<SigmoidTarget> parts((held.queries() + kQueryBlock - 1) / kQueryBlock);
  host.parallel_for(parts.size(), [&](std::size_t part) {
    objective::SoftDcg soft(sigma, objective::TiedRanks::kInOrder);
    const std::size_t first = part * kQueryBlock;
    const std::size_t last = std::min(held.queries(), first + kQueryBlock);
    const auto begin = static_cast<std::size_t>(held.offsets[first]);
    const auto end = static_cast<std::size_t>(held.offsets[last]);
    std::vector<double> scores(end - begin);
    std::vector<double> gains(end - begin);
    std::vector<double> gradients(end - begin, 0.0);
    sigmoid_scores(held.f, gain, a, b, begin, end, scores.data());
    for (std::size_t i = begin; i < end; ++i) {
      gains[i - begin] = gain[static_cast<std::size_t>(held.grades[i])];
    }
    double value = 0.0;
    for (std::size_t q = first; q < last; ++q) {
      const std::size_t at = static_cast<std::size_t>(held.offsets[q]) - begin;
      const std::size_t size = static_cast<std::size_t>(held.offsets[q + 1]) - begin - at;
      if (!(held.ideal[q] > 0.0) || size == 0) {
        continue;
      }
      const double times = -held.weight(at + begin) / held.ideal[q];
      const View<double> own = derivatives == Derivatives::kAll
                                   ? View<double>(gradients.data() + at, size)
                                   : View<double>();
      value += times *
               soft.evaluate({scores.data() + at, size}, {gains.data() + at, size}, own);
      for (double& gradient : own) {
        gradient *= times;
      }
    }
    if (derivatives == Derivatives::kAll) {
      parts[part] = sigmoid_gradients(held.f, gain, a, b, begin, end, gradients.data());
    }
    parts[part].value = value;
  });
  return sum_of_parts(parts);
}

}  // namespace rankmix::calibrate
