#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.h"
#include "core/base/sort.h"

TEST("sort_doubles() sorts as comparing does") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
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
          // Any bits: tiny, huge, negative and infinite numbers.
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
