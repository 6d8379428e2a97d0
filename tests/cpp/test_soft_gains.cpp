// Soft gains of documents at ranks.
#include <doctest/doctest.h>

#include <vector>

#include "core/base/views.h"
#include "core/objective/soft_gains.h"
#include "core/objective/soft_precision.h"

using rankmix::View;
using rankmix::objective::SoftGains;
using rankmix::objective::SoftPrecision;
using rankmix::objective::TiedRanks;

TEST_CASE("tied documents share their gains, however large the scores are") {
  // The vectors are padded to a multiple of the width, so all sizes are tried.
  for (const double score : {0.0, 1e3, 1e15, 1e18, 1e20, 1e300, -1e20, 1.7e308}) {
    for (std::size_t n = 2; n <= 17; ++n) {
      const std::vector<double> scores(n, score);
      std::vector<double> gains(n, 1.0);
      gains[0] = 3.0;
      SoftGains soft(1.0, TiedRanks::kShared);
      soft.set_query(scores, gains);
      const double mean = (static_cast<double>(n) + 2.0) / static_cast<double>(n);
      for (const double found : soft.find(n)) {
        CHECK(found == doctest::Approx(mean));
      }
    }
  }
}

TEST_CASE("the soft precision of tied documents does not depend on their score") {
  for (std::size_t n = 2; n <= 17; ++n) {
    std::vector<double> relevance(n, 0.0);
    relevance[0] = 1.0;
    std::vector<double> gradients(n);
    std::vector<double> hessians(n);
    const auto value_at = [&](double score) {
      const std::vector<double> scores(n, score);
      return SoftPrecision(1.0).evaluate(scores, relevance,
                                         View<double>(gradients.data(), n),
                                         View<double>(hessians.data(), n));
    };
    const double expected = value_at(0.0);
    for (const double score : {1e15, 1e18, 1e20, 1e300, -1e20, 1.7e308}) {
      CHECK(value_at(score) == doctest::Approx(expected));
    }
  }
}
