// Documents are gathered in the order of their scores, compared with a plain sort.
// Cases: scores that keys of few bits can and cannot distinguish, ties, and queries that
// are too long for counting.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/base/sort.h"
#include "core/objective/gather.h"
#include "draw.h"

namespace {

namespace objective = rankmix::objective;

using Scores = std::vector<double>;

// Scores of n documents of a kind.
Scores draw_scores(int kind, std::size_t n, std::mt19937_64& random) {
  draw::Normal<double> normal;
  Scores scores(n);
  for (double& score : scores) {
    const double x = normal(random);
    switch (kind) {
      case 0:
        score = x;
        break;
      case 1:
        score = std::round(2.0 * x);
        break;  // ties
      case 2:
        score = 1.0;
        break;
      case 3:
        score = 1.0 + 1e-15 * std::round(x * 9.0);
        break;  // nearly tied
      case 4:
        score = x < 1.0 ? 1e-9 * x : 1e9;
        break;
      case 5:
        score = x * 4e307;
        break;  // differences of scores are NaN
      case 6:
        score = 5e-324 * std::round(x * 3.0);
        break;
      default:
        score = x > 0.0 ? 0.0 : -0.0;
    }
  }
  return scores;
}

}  // namespace

TEST_CASE("queries are gathered by score, then grade, target and row") {
  std::mt19937_64 random(11);
  for (const bool wide : {false, true}) {
    rankmix::allow_avx2(wide);
    for (int kind = 0; kind < 8; ++kind) {
      for (const std::size_t n :
           {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{128},
            rankmix::kMaxCounted, rankmix::kMaxCounted + 1, std::size_t{700}}) {
        const Scores scores = draw_scores(kind, n, random);
        std::vector<int> rows(n);
        std::vector<int> grades(n);
        Scores targets(n);
        for (std::size_t i = 0; i < n; ++i) {
          rows[i] = static_cast<int>(i);
          grades[i] = static_cast<int>(random() % 2);
          targets[i] = static_cast<double>(random() % 2);
        }
        const std::vector<int> offsets{0, static_cast<int>(n)};
        const objective::Documents documents{
            {rows, offsets}, grades, targets, {}, {}, {}};
        objective::Gatherer gatherer(documents, true);
        const objective::Query query = gatherer.gather(0, scores);
        std::vector<int> sorted = rows;
        std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
          const auto i = static_cast<std::size_t>(a);
          const auto j = static_cast<std::size_t>(b);
          if (scores[i] != scores[j]) return scores[i] > scores[j];
          if (grades[i] != grades[j]) return grades[i] < grades[j];
          if (targets[i] != targets[j]) return targets[i] < targets[j];
          return a < b;
        });
        for (std::size_t k = 0; k < n; ++k) {
          const auto row = static_cast<std::size_t>(sorted[k]);
          CHECK(query.rows[k] == sorted[k]);
          CHECK(query.scores[k] == scores[row]);
          CHECK(query.grades[k] == grades[row]);
          CHECK(query.targets[k] == targets[row]);
        }
      }
    }
  }
  rankmix::allow_avx2(true);
}

TEST_CASE("scores that are not finite are refused") {
  const std::vector<int> rows{0, 1};
  const std::vector<int> offsets{0, 2};
  const objective::Documents documents{{rows, offsets}, {}, {}, {}, {}, {}};
  objective::Gatherer gatherer(documents, true);
  for (const double bad : {std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(gatherer.gather(0, Scores{0.0, bad}), rankmix::InvalidArgument);
  }
}
