#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/mix/chain.h"
#include "draw.h"
#include "thread_host.h"

namespace mix = rankmix::mix;

namespace {

// The stationary distribution by steps of the chain, until nothing changes.
std::vector<double> walk(const std::vector<double>& chances, std::size_t n,
                         double damping) {
  std::vector<double> fraction(n, 1.0);
  for (int step = 0; step < 5000; ++step) {
    std::vector<double> next(n, damping);
    for (std::size_t i = 0; i < n; ++i) {
      double stays = 1.0;
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) {
          const double move = chances[j * n + i] / static_cast<double>(n);
          next[j] += (1.0 - damping) * fraction[i] * move;
          stays -= move;
        }
      }
      next[i] += (1.0 - damping) * fraction[i] * stays;
    }
    fraction = next;
  }
  return fraction;
}

}  // namespace

TEST_CASE("chain scores equal the limit of many steps") {
  std::mt19937_64 random(11);
  draw::Uniform<double> uniform;
  const std::vector<int> offsets = {0, 1, 6, 8, 15};
  std::vector<double> all;
  std::vector<double> expected;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
    const auto n = static_cast<std::size_t>(offsets[q + 1] - offsets[q]);
    std::vector<double> chances(n * n);
    for (double& chance : chances) {
      chance = uniform(random);
    }
    all.insert(all.end(), chances.begin(), chances.end());
    const std::vector<double> own = walk(chances, n, 0.05);
    expected.insert(expected.end(), own.begin(), own.end());
  }
  ThreadHost one(1);
  ThreadHost three(3);
  const std::vector<double> found = mix::chain_scores(all, offsets, 0.05, one);
  CHECK(found.size() == 15);
  for (std::size_t i = 0; i < 15; ++i) {
    CHECK(std::abs(found[i] - expected[i]) < 1e-10);
  }
  CHECK(mix::chain_scores(all, offsets, 0.05, three) == found);
  // With damping 1, each step moves to a random document.
  for (double score : mix::chain_scores(all, offsets, 1.0, one)) {
    CHECK(std::abs(score - 1.0) < 1e-12);
  }
  CHECK_THROWS_AS(mix::chain_scores(all, offsets, 0.0, one), rankmix::InvalidArgument);
  all.pop_back();
  CHECK_THROWS_AS(mix::chain_scores(all, offsets, 0.05, one), rankmix::InvalidArgument);
}

TEST_CASE("the scores of a long query can be interrupted") {
  constexpr std::size_t n = 600;
  const std::vector<double> chances(n * n, 0.5);
  const std::vector<int> offsets{0, n};
  ThreadHost host(1);
  host.interrupt_after(100);
  CHECK_THROWS_AS(mix::chain_scores(chances, offsets, 0.1, host), rankmix::Interrupted);
}
