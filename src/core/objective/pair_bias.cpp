#include "core/objective/pair_bias.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"

namespace rankmix::objective {
namespace {

bool is_position(double position, double last) {
  return position >= 1.0 && position <= last && position == std::floor(position);
}

void learn(View<const double> positions, View<const double> losses, double power,
           Host& host, std::vector<double>& factors) {
  const std::size_t rows = positions.size();
  const auto last = static_cast<double>(factors.size());
  if (!std::all_of(positions.begin(), positions.end(),
                   [&](double position) { return is_position(position, last); })) {
    throw InvalidArgument("a position has no factor");
  }
  const double all = sum_exactly(host, rows, [&](std::size_t i) { return losses[i]; });
  if (!(all > 0.0)) {
    return;
  }
  const std::vector<std::int64_t> sums =
      sum_tables(host, rows, factors.size(), [&](std::size_t i, std::int64_t* to) {
        to[static_cast<std::size_t>(positions[i]) - 1] += to_fixed(losses[i] / all);
      });
  if (sums[0] == 0) {
    return;
  }
  for (std::size_t p = 0; p < factors.size(); ++p) {
    if (sums[p] > 0) {
      factors[p] = std::pow(from_fixed(sums[p]) / from_fixed(sums[0]), power);
    }
  }
}

}  // namespace

std::size_t last_position(View<const double> positions, Host& host) {
  double last = 0.0;
  for (double position : positions) {
    last = std::max(last, is_position(position, kMaxPosition)
                              ? position
                              : std::numeric_limits<double>::infinity());
  }
  // Infinity is the largest number of all ranks, so all ranks throw.
  last = host.reducer().max_of(last);
  if (last > kMaxPosition) {
    throw InvalidArgument("positions must be whole numbers from 1 to 100000");
  }
  return static_cast<std::size_t>(last);
}

PairFactors first_factors(View<const double> positions, Host& host) {
  const std::vector<double> ones(last_position(positions, host), 1.0);
  return {ones, ones};
}

void learn_factors(View<const double> positions, View<const double> clicked,
                   View<const double> other, double power, Host& host,
                   PairFactors& factors) {
  learn(positions, clicked, power, host, factors.clicked);
  learn(positions, other, power, host, factors.other);
}

}  // namespace rankmix::objective
