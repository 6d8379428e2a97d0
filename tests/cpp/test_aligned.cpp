// Compares LaneSystems, and levels that are chosen by pairs, with dense
// pseudo-inverses.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/dense.h"
#include "core/base/random.h"
#include "core/base/serial_host.h"
#include "core/base/simd.h"
#include "core/boost/lane_systems.h"

namespace boost = rankmix::boost;
namespace dense = rankmix::dense;

namespace {

double number(std::uint64_t index) {
  return rankmix::unit_uniform(rankmix::mix_bits(index));
}

// v' M^+ v by the spectrum of M.
double slow_score(const std::vector<double>& matrix, const std::vector<double>& right) {
  const std::size_t size = right.size();
  rankmix::SerialHost host;
  const dense::Spectrum spectrum = dense::spectrum_of(matrix, size, host);
  double score = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    double along = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      along += spectrum.vectors[k * size + i] * right[i];
    }
    if (spectrum.values[k] > 1e-9 * spectrum.values.back()) {
      score += along * along / spectrum.values[k];
    }
  }
  return score;
}

// Graphs of leaves, in which some leaves have no edge, and some sets of leaves are not
// connected.
void try_systems(std::size_t size, std::size_t systems, double fraction) {
  boost::LaneSystems lanes;
  lanes.reset(size, systems);
  std::vector<std::vector<double>> matrices(systems, std::vector<double>(size * size));
  std::vector<std::vector<double>> rights(systems, std::vector<double>(size));
  std::uint64_t at = size * 1000 + systems;
  for (std::size_t s = 0; s < systems; ++s) {
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        if (number(++at) > fraction || (p % 3 == 0) != (q % 3 == 0)) {
          continue;
        }
        const double weight = std::floor(1000.0 * number(++at)) + 1.0;
        const double push = std::floor(weight * (2.0 * number(++at) - 1.0));
        lanes.add_edge(p, q, s, weight);
        lanes.right(p, s) += push;
        lanes.right(q, s) -= push;
        rights[s][p] += push;
        rights[s][q] -= push;
        matrices[s][q * size + p] -= weight;
        matrices[s][p * size + q] -= weight;
        matrices[s][p * size + p] += weight;
        matrices[s][q * size + q] += weight;
      }
    }
  }
  std::vector<double> scores;
  lanes.scores(1e-10, scores);
  CHECK(scores.size() == systems);
  for (std::size_t s = 0; s < systems; ++s) {
    const double expected = slow_score(matrices[s], rights[s]);
    CHECK(std::abs(scores[s] - expected) <= 1e-7 * (1.0 + expected));
  }
}

}  // namespace

TEST_CASE("scores of lane systems equal scores by pseudo-inverses") {
  for (const std::size_t size : {2U, 3U, 8U, 20U}) {
    for (const std::size_t systems : {1U, 15U, 16U, 33U}) {
      for (const double fraction : {0.0, 0.1, 0.6, 1.0}) {
        try_systems(size, systems, fraction);
      }
    }
  }
}

TEST_CASE("systems have the same bits with and without wide registers") {
  std::vector<double> with;
  std::vector<double> without;
  for (const bool wide : {true, false}) {
    rankmix::allow_avx2(wide);
    boost::LaneSystems lanes;
    lanes.reset(12, 20);
    std::uint64_t at = 0;
    for (std::size_t s = 0; s < 20; ++s) {
      for (std::size_t p = 1; p < 12; ++p) {
        const double push = number(++at) - 0.5;
        lanes.add_edge(p, p - 1, s, number(++at));
        lanes.right(p, s) += push;
        lanes.right(p - 1, s) -= push;
      }
    }
    lanes.scores(1e-9, wide ? with : without);
  }
  rankmix::allow_avx2(true);
  CHECK(with == without);
}
