// Sums over ranks are exact, and equal on all ranks.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/base/word_sums.h"
#include "ranks.h"

using rankmix::Host;
using rankmix::Reducer;
using rankmix::View;

TEST_CASE("a single rank changes nothing") {
  ThreadHost host(1);
  Reducer& reducer = host.reducer();
  CHECK(reducer.is_alone());
  CHECK(reducer.sum_of(std::int64_t{-5}) == -5);
  CHECK(reducer.max_of(2.5) == 2.5);
  const std::vector<std::uint8_t> bytes{1, 2};
  CHECK(reducer.gather(bytes) == std::vector<std::vector<std::uint8_t>>{bytes});
}

TEST_CASE("integers are added modulo their size on any number of ranks") {
  for (std::size_t size : {2U, 3U, 5U, 8U}) {
    run_ranks(size, 1, [&](std::size_t rank, Host& host) {
      Reducer& reducer = host.reducer();
      const auto r = static_cast<std::int64_t>(rank);
      const auto count = static_cast<std::int64_t>(size);
      const std::int64_t ranks = count * (count - 1) / 2;  // 0 + 1 + ...
      const std::int64_t large = std::numeric_limits<std::int64_t>::max() / 8;
      CHECK(reducer.sum_of(large / count - r) == large / count * count - ranks);
      CHECK(reducer.sum_of(-1 - r) == -count - ranks);
      CHECK(reducer.sum_of(~std::uint64_t{0}) == std::uint64_t{0} - size);
      std::vector<std::uint32_t> small{~0U, static_cast<std::uint32_t>(rank)};
      reducer.add(View<std::uint32_t>(small.data(), small.size()));
      CHECK(small[0] == 0U - static_cast<std::uint32_t>(size));
      CHECK(small[1] == static_cast<std::uint32_t>(ranks));
      CHECK(reducer.max_of(static_cast<double>(r)) == static_cast<double>(count - 1));
      CHECK(reducer.min_of(static_cast<double>(r)) == 0.0);
      CHECK(reducer.any_of(rank == size - 1));
      CHECK_FALSE(reducer.all_of(rank == 0));
    });
  }
}

// The words of each rank, added modulo 2^32.
std::vector<std::uint32_t> summed_words(
    const std::vector<std::vector<std::uint64_t>>& numbers) {
  std::vector<std::uint32_t> sums;
  for (std::vector<std::uint64_t> own : numbers) {
    std::vector<std::uint32_t> words;
    rankmix::split_words(View<std::uint64_t>(own.data(), own.size()), numbers.size(),
                         words);
    sums.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      sums[i] += words[i];
    }
  }
  return sums;
}

TEST_CASE("sums of words give sums of 64-bit integers") {
  std::mt19937_64 random(1);
  const std::uint64_t extremes[] = {0,           1,          0x7FFFFFFFU, 0x80000000U,
                                    0xFFFFFFFFU, 1ULL << 32, ~0ULL,       1ULL << 63};
  for (const std::size_t ranks : {2U, 3U, 4U, 5U, 8U, 9U, 64U, 255U, 256U}) {
    for (const std::size_t count : {1U, 2U, 7U, 1000U}) {
      std::vector<std::vector<std::uint64_t>> numbers(ranks);
      std::vector<std::uint64_t> expected(count);
      for (auto& own : numbers) {
        for (std::size_t i = 0; i < count; ++i) {
          own.push_back(random() % 4 == 0 ? extremes[random() % 8] : random());
          expected[i] += own[i];
        }
      }
      std::vector<std::uint64_t> joined(count);
      rankmix::join_words(summed_words(numbers), ranks,
                          View<std::uint64_t>(joined.data(), count));
      CHECK(joined == expected);
    }
    // The largest carries.
    const std::vector<std::vector<std::uint64_t>> all_ones(
        ranks, std::vector<std::uint64_t>(3, 0xFFFFFFFFU));
    std::vector<std::uint64_t> joined(3);
    rankmix::join_words(summed_words(all_ones), ranks,
                        View<std::uint64_t>(joined.data(), joined.size()));
    CHECK(joined == std::vector<std::uint64_t>(3, 0xFFFFFFFFULL * ranks));
  }
}

TEST_CASE("bytes of different lengths are gathered in the order of the ranks") {
  run_ranks(3, 1, [](std::size_t rank, Host& host) {
    const std::vector<std::uint8_t> own(rank, static_cast<std::uint8_t>(rank));
    const auto all = host.reducer().gather(own);
    CHECK(all == std::vector<std::vector<std::uint8_t>>{{}, {1}, {2, 2}});
  });
}

TEST_CASE("ranks that reduce different things fail in tests") {
  CHECK_THROWS_AS(run_ranks(2, 1,
                            [](std::size_t rank, Host& host) {
                              std::vector<double> x(rank + 1, 1.0);
                              host.reducer().add(View<double>(x.data(), x.size()));
                            }),
                  std::runtime_error);
}
