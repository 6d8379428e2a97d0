#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/base/simd.h"
#include "core/base/sort.h"
#include "draw.h"

TEST_CASE("sort_doubles() sorts like std::sort()") {
  std::mt19937_64 random(1);
  draw::Normal<double> normal;
  for (std::size_t n : {0, 1, 2, 100, 4095, 4096, 5000, 50000}) {
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<double> values(n);
      for (double& x : values) {
        if (kind == 0) {
          x = normal(random);
        } else if (kind == 1) {
          x = std::floor(std::exp(normal(random)));
        } else if (kind == 2) {
          x = 7.5;
        } else {
          // Random bits give tiny, huge, negative and infinite numbers.
          const std::uint64_t bits = random();
          std::memcpy(&x, &bits, sizeof x);
          x = std::isnan(x) ? -std::numeric_limits<double>::infinity() : x;
        }
      }
      std::vector<double> expected = values;
      std::sort(expected.begin(), expected.end());
      std::vector<double> spare(n);
      rankmix::sort_doubles({values.data(), n}, spare.data());
      CHECK(values == expected);
    }
  }
}

TEST_CASE("sort_different() sorts like std::sort(), with and without wide registers") {
  std::mt19937_64 random(2);
  for (const bool wide : {false, true}) {
    rankmix::allow_avx2(wide);
    for (std::size_t n :
         {0, 1, 2, 15, 16, 17, 31, 32, 33, 97, 100, 120, 129, 400, 1000}) {
      std::vector<std::int64_t> keys(n);
      for (std::int64_t& key : keys) {
        key = static_cast<std::int64_t>(random());
      }
      if (n > 2) {
        keys[0] = std::numeric_limits<std::int64_t>::min();
        keys[1] = std::numeric_limits<std::int64_t>::max();
      }
      std::vector<std::int64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      std::vector<std::int64_t> spare(n);
      rankmix::sort_different({keys.data(), n}, spare.data());
      CHECK(keys == expected);
    }
  }
  rankmix::allow_avx2(true);
}

TEST_CASE("ranks_by_count() equals the ranks of a sort unless two keys are equal") {
  std::mt19937_64 random(3);
  for (const bool wide : {false, true}) {
    rankmix::allow_avx2(wide);
    for (std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 120, 384}) {
      std::vector<std::int32_t> keys(n);
      for (std::int32_t& key : keys) {
        key = static_cast<std::int32_t>(random());
      }
      if (n > 1) {
        keys[0] = std::numeric_limits<std::int32_t>::min();
        keys[1] = std::numeric_limits<std::int32_t>::max();
      }
      std::vector<std::int32_t> sorted = keys;
      std::sort(sorted.rbegin(), sorted.rend());
      const bool differ =
          std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
      std::vector<std::uint32_t> ranks(n);
      std::vector<std::int32_t> padded = keys;
      padded.resize(n + rankmix::kCountedAtOnce, 7);
      CHECK(rankmix::ranks_by_count({padded.data(), n}, ranks.data()) == differ);
      for (std::size_t i = 0; differ && i < n; ++i) {
        CHECK(sorted[ranks[i]] == keys[i]);
      }
      if (n > 2) {
        padded[2] = padded[1];
        CHECK(!rankmix::ranks_by_count({padded.data(), n}, ranks.data()));
      }
    }
  }
  rankmix::allow_avx2(true);
}

TEST_CASE("order_of() keeps the order of doubles and maps 0 and -0 to one integer") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> rising = {-infinity, -1e308, -2.0, -1.5,  -1e-310, 0.0,
                                      1e-310,    1.5,    2.0,  1e308, infinity};
  for (std::size_t i = 1; i < rising.size(); ++i) {
    CHECK(rankmix::order_of(rising[i - 1]) < rankmix::order_of(rising[i]));
  }
  CHECK(rankmix::order_of(-0.0) == rankmix::order_of(0.0));
}
