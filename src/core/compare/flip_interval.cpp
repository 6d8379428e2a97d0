#include "core/compare/flip_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/compare/sign_patterns.h"

namespace rankmix::compare {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Sums over the flipped queries of a group, for each of its patterns. Bit j of a pattern is
// set if query j keeps its sign.
struct Flipped {
  std::array<double, kSums> sum{};     // of w d
  std::array<double, kSums> weight{};  // of w
};

struct Sums {
  double sum = 0.0;
  double weight = 0.0;
};

std::vector<Flipped> flipped_groups(const std::vector<double>& d,
                                    View<const double> weights) {
  std::vector<Flipped> groups((d.size() + kGroup - 1) / kGroup);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t pattern = 0; pattern < kSums; ++pattern) {
      for (std::size_t j = 0; j < kGroup && g * kGroup + j < d.size(); ++j) {
        if (((pattern >> j) & 1U) == 0) {
          const std::size_t q = g * kGroup + j;
          const double w = weights.empty() ? 1.0 : weights[q];
          groups[g].sum[pattern] += w * d[q];
          groups[g].weight[pattern] += w;
        }
      }
    }
  }
  return groups;
}

// `bits(word)` returns the signs of the queries 64 word .. 64 word + 63.
template <typename Bits>
Sums flipped_sums(const std::vector<Flipped>& groups, const Bits& bits) {
  Sums all;
  for (std::size_t g = 0, word = 0; g < groups.size(); ++word) {
    std::uint64_t signs = bits(word);
    for (std::size_t k = 0; k < kGroupsOfWord && g < groups.size(); ++k, ++g) {
      all.sum += groups[g].sum[signs & (kSums - 1)];
      all.weight += groups[g].weight[signs & (kSums - 1)];
      signs >>= kGroup;
    }
  }
  return all;
}

// The mean over the flipped queries and the mean over the kept queries, the smaller
// mean first. Patterns that flip no query or all queries reach every observed sum.
Interval means_of(const Sums& flipped, const Sums& total) {
  const double kept_weight = total.weight - flipped.weight;
  // If no query is left, the difference of weights is only rounding noise.
  const double none = 1e-12 * total.weight;
  if (flipped.weight <= none || kept_weight <= none) {
    return {-kInfinity, kInfinity};
  }
  const double a = flipped.sum / flipped.weight;
  const double b = (total.sum - flipped.sum) / kept_weight;
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

Interval flip_interval(View<const double> differences, View<const double> weights,
                       double level, std::size_t resamples, std::uint64_t seed,
                       Host& host) {
  const std::size_t n = differences.size();
  if (n == 0 || (!weights.empty() && weights.size() != n)) {
    throw InvalidArgument("differences and weights do not fit");
  }
  // Differences are relative to the first difference, so that sums lose fewer digits.
  std::vector<double> d;
  for (const double own : differences) {
    d.push_back(own - differences[0]);
  }
  const std::vector<Flipped> groups = flipped_groups(d, weights);
  const Sums total = flipped_sums(groups, [](std::size_t) { return std::uint64_t{0}; });
  const bool exact = n <= kMaxExactQueries;
  const std::size_t patterns = exact ? std::size_t{1} << n : resamples;
  std::vector<double> smaller(patterns);
  std::vector<double> larger(patterns);
  in_blocks(patterns, host, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const std::uint64_t stream = random_stream(seed, Purpose::kSignFlip, r);
      const Sums flipped = flipped_sums(groups, [&](std::size_t word) {
        return exact ? std::uint64_t{r} : mix_bits(stream ^ word);
      });
      const Interval means = means_of(flipped, total);
      smaller[r] = means.lower;
      larger[r] = means.upper;
    }
  });
  // A number is rejected if at most this many patterns reach it.
  const double allowed = allowed_patterns(patterns, level, exact);
  if (allowed < 0.0) {
    return {-kInfinity, kInfinity};
  }
  const auto at = static_cast<std::ptrdiff_t>(
      std::min(static_cast<std::size_t>(allowed), patterns - 1));
  std::nth_element(smaller.begin(), smaller.begin() + at, smaller.end());
  std::nth_element(larger.begin(), larger.begin() + at, larger.end(), std::greater<>());
  return {smaller[static_cast<std::size_t>(at)] + differences[0],
          larger[static_cast<std::size_t>(at)] + differences[0]};
}

}  // namespace rankmix::compare
