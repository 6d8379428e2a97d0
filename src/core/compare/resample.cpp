#include "core/compare/resample.h"

#include <algorithm>
#include <limits>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/compare/sign_patterns.h"

namespace rankmix::compare {
namespace {

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
