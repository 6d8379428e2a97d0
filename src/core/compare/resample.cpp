#include "core/compare/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/errors.h"
#include "core/base/random.h"

namespace rankmix::compare {
namespace {

constexpr std::size_t kGroup = 4;  // differences that share a table of sums
constexpr std::size_t kPatternsOfGroup = 1U << kGroup;
constexpr std::size_t kGroupsOfWord = 64 / kGroup;
constexpr std::size_t kBlock = 64;  // resamples of a task
constexpr std::size_t kTasks = 64;  // tasks between two checks for an interrupt

using Sums = std::vector<std::array<double, kPatternsOfGroup>>;

// For each group of four differences, its sum under all 16 sign patterns. Bit j of a
// pattern is set if difference j keeps its sign. Missing differences of the last group
// count as 0.
Sums sums_of_groups(const std::vector<double>& d) {
  Sums sums((d.size() + kGroup - 1) / kGroup);
  for (std::size_t g = 0; g < sums.size(); ++g) {
    for (std::size_t pattern = 0; pattern < kPatternsOfGroup; ++pattern) {
      double sum = 0.0;
      for (std::size_t j = 0; j < kGroup && g * kGroup + j < d.size(); ++j) {
        const double value = d[g * kGroup + j];
        sum += ((pattern >> j) & 1U) != 0 ? value : -value;
      }
      sums[g][pattern] = sum;
    }
  }
  return sums;
}

// The sum of all differences with signs. `bits(w)` returns the signs of the differences
// 64 w .. 64 w + 63.
template <typename Bits>
double signed_sum(const Sums& sums, const Bits& bits) {
  double sum = 0.0;
  for (std::size_t first = 0, word = 0; first < sums.size();
       first += kGroupsOfWord, ++word) {
    std::uint64_t signs = bits(word);
    const std::size_t end = std::min(sums.size(), first + kGroupsOfWord);
    for (std::size_t g = first; g < end; ++g) {
      sum += sums[g][signs & (kPatternsOfGroup - 1)];
      signs >>= kGroup;
    }
  }
  return sum;
}

// Calls work(first, last) for blocks of [0, count). Blocks do not depend on the number of
// threads.
template <typename Work>
void in_blocks(std::size_t count, Host& host, const Work& work) {
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
  for (std::size_t first = 0; first < blocks; first += kTasks) {
    host.checkpoint();
    host.parallel_for(std::min(kTasks, blocks - first), [&](std::size_t i) {
      const std::size_t start = (first + i) * kBlock;
      work(start, std::min(count, start + kBlock));
    });
  }
}

// A uniform number in [0, n) without bias: the upper half of bits * n. The draw is
// repeated if the lower half shows that the result would be biased (Lemire 2019,
// doi:10.1145/3230636).
inline std::size_t draw_below(std::uint32_t n, std::uint32_t bits, std::uint64_t again) {
  std::uint64_t product = std::uint64_t{bits} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t least = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < least) {
      again = mix_bits(again);
      product = (again >> 32) * n;
    }
  }
  return static_cast<std::size_t>(product >> 32);
}

// Calls take(j) for n queries that are drawn with replacement from n queries.
template <typename Take>
void draw_queries(std::uint32_t n, std::uint64_t stream, const Take& take) {
  for (std::uint32_t i = 0; i < n; i += 2) {
    const std::uint64_t bits = mix_bits(stream ^ i);
    take(draw_below(n, static_cast<std::uint32_t>(bits >> 32), bits));
    if (i + 1 < n) {
      take(draw_below(n, static_cast<std::uint32_t>(bits), ~bits));
    }
  }
}

}  // namespace

SignFlips sign_flips(View<const double> differences, std::size_t resamples,
                     std::uint64_t seed, Host& host) {
  // Differences of 0 have no sign and are left out.
  std::vector<double> d;
  double magnitude = 0.0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i] != 0.0) {
      d.push_back(differences[i]);
      magnitude += std::abs(differences[i]);
    }
  }
  const Sums sums = sums_of_groups(d);
  const double observed =
      std::abs(signed_sum(sums, [](std::size_t) { return ~std::uint64_t{0}; }));
  // A tolerance: sums that are equal in exact arithmetic may differ by the rounding of n
  // additions.
  const double least = observed - static_cast<double>(d.size()) *
                                      std::numeric_limits<double>::epsilon() * magnitude;
  SignFlips found;
  found.exact = d.size() <= kMaxExact;
  const std::size_t count = found.exact ? std::size_t{1} << d.size() : resamples;
  std::vector<std::uint64_t> extreme((count + kBlock - 1) / kBlock, 0);
  in_blocks(count, host, [&](std::size_t first, std::size_t last) {
    std::uint64_t here = 0;
    for (std::size_t r = first; r < last; ++r) {
      const std::uint64_t stream = random_stream(seed, Purpose::kSignFlip, r);
      const double sum = signed_sum(sums, [&](std::size_t word) {
        return found.exact ? std::uint64_t{r} : mix_bits(stream ^ word);
      });
      here += std::abs(sum) >= least ? 1 : 0;
    }
    extreme[first / kBlock] = here;
  });
  for (const std::uint64_t here : extreme) {
    found.extreme += here;
  }
  found.patterns = count;
  if (!found.exact) {
    ++found.patterns;
    ++found.extreme;
  }
  return found;
}

std::vector<double> bootstrap_means(View<const double> differences,
                                    View<const double> weights, std::size_t resamples,
                                    std::uint64_t seed, Host& host) {
  if (differences.size() == 0 ||
      differences.size() > std::numeric_limits<std::uint32_t>::max() ||
      (weights.size() != 0 && weights.size() != differences.size())) {
    throw InvalidArgument("differences and weights do not fit");
  }
  const auto n = static_cast<std::uint32_t>(differences.size());
  const bool weighted = weights.size() != 0;
  std::vector<double> products;
  for (std::size_t i = 0; weighted && i < n; ++i) {
    products.push_back(differences[i] * weights[i]);
  }
  std::vector<double> means(resamples);
  in_blocks(resamples, host, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const std::uint64_t stream = random_stream(seed, Purpose::kBootstrap, r);
      double sum = 0.0;
      double weight = 0.0;
      if (weighted) {
        draw_queries(n, stream, [&](std::size_t j) {
          sum += products[j];
          weight += weights[j];
        });
      } else {
        draw_queries(n, stream, [&](std::size_t j) { sum += differences[j]; });
        weight = static_cast<double>(n);
      }
      means[r] = weight > 0.0 ? sum / weight : 0.0;
    }
  });
  return means;
}

}  // namespace rankmix::compare
