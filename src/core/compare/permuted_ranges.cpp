#include "core/compare/permuted_ranges.h"

#include <algorithm>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/compare/sign_patterns.h"

namespace rankmix::compare {
namespace {

// A number below n from 32 random bits. The bias of this number is below n / 2^32.
std::size_t below(std::size_t n, std::uint64_t bits) {
  return static_cast<std::size_t>(((bits & 0xFFFFFFFFU) * n) >> 32);
}

// Shuffles the values of a query. Each 64-bit random number is used for two draws.
void shuffle(std::vector<double>& values, std::uint64_t address) {
  std::uint64_t bits = 0;
  for (std::size_t i = values.size() - 1, draw = 0; i > 0; --i, ++draw) {
    bits = draw % 2 == 0 ? mix_bits(address + draw) : bits >> 32;
    std::swap(values[i], values[below(i + 1, bits)]);
  }
}

double permuted_range(const std::vector<double>& by_query, std::size_t rankers,
                      std::uint64_t stream) {
  const std::size_t queries = by_query.size() / rankers;
  std::vector<double> sums(rankers, 0.0);
  std::vector<double> own(rankers);
  for (std::size_t q = 0; q < queries; ++q) {
    const auto first = by_query.begin() + static_cast<std::ptrdiff_t>(q * rankers);
    std::copy_n(first, rankers, own.begin());
    shuffle(own, mix_bits(stream ^ q));
    for (std::size_t i = 0; i < rankers; ++i) {
      sums[i] += own[i];
    }
  }
  const auto ends = std::minmax_element(sums.begin(), sums.end());
  return (*ends.second - *ends.first) / static_cast<double>(queries);
}

}  // namespace

std::vector<double> permuted_ranges(MatrixView<const double> values,
                                    std::size_t resamples, std::uint64_t seed,
                                    Host& host) {
  if (values.rows() == 0 || values.cols() < 2) {
    throw InvalidArgument("permutations need two or more rankers and a query");
  }
  const std::size_t rankers = values.cols();
  std::vector<double> by_query(values.rows() * rankers);
  for (std::size_t q = 0; q < values.rows(); ++q) {
    for (std::size_t i = 0; i < rankers; ++i) {
      by_query[q * rankers + i] = values(q, i) - values(q, 0);
    }
  }
  std::vector<double> ranges(resamples);
  in_blocks(resamples, host, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const std::uint64_t stream = random_stream(seed, Purpose::kPermutation, r);
      ranges[r] = permuted_range(by_query, rankers, stream);
    }
  });
  return ranges;
}

}  // namespace rankmix::compare
