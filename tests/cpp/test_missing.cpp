#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/data/missing.h"
#include "draw.h"
#include "thread_host.h"

namespace data = rankmix::data;

namespace {

// A dense matrix with missing values and zeros, and the entries of its sparse form.
struct Gaps {
  std::size_t rows;
  std::vector<double> dense;
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts{0};
  std::vector<double> weights;

  rankmix::MatrixView<const double> view() const {
    return {dense.data(), rows, starts.size() - 1};
  }
  rankmix::SparseView sparse() const { return {values, row_of, starts, rows}; }
};

Gaps simulate(std::size_t rows, std::size_t features, unsigned seed) {
  Gaps gaps{rows, std::vector<double>(rows * features), {}, {}, {0}, {}};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      const unsigned long kind = random() % 4;
      // All values of the first feature are missing.
      const double value = j == 0 || kind == 0 ? std::nan("")
                           : kind == 1         ? 0.0
                                               : normal(random);
      gaps.dense[j * rows + i] = value;
      if (value != 0.0) {
        gaps.values.push_back(value);
        gaps.row_of.push_back(static_cast<int>(i));
      }
    }
    gaps.starts.push_back(static_cast<int>(gaps.values.size()));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    gaps.weights.push_back(static_cast<double>(random() % 3));
  }
  return gaps;
}

}  // namespace

TEST_CASE("means of known values equal a loop, for dense and sparse data") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Gaps gaps = simulate(20 + 17 * seed, 6, seed);
    for (const bool weighted : {false, true}) {
      const rankmix::View<const double> weights =
          weighted ? rankmix::View<const double>(gaps.weights)
                   : rankmix::View<const double>();
      ThreadHost one(1);
      ThreadHost three(3);
      const data::KnownValues known = data::known_values(gaps.view(), weights, one);
      const data::KnownValues sparse = data::known_values(gaps.sparse(), weights, three);
      CHECK((known.mean == sparse.mean && known.missing == sparse.missing));
      CHECK(known.mean[0] == 0.0);
      for (std::size_t j = 0; j < 6; ++j) {
        double sum = 0.0;
        double total = 0.0;
        double lost = 0.0;
        for (std::size_t i = 0; i < gaps.rows; ++i) {
          const double weight = weighted ? gaps.weights[i] : 1.0;
          const double value = gaps.view()(i, j);
          if (std::isnan(value)) {
            lost += weight > 0.0 ? 1.0 : 0.0;
          } else {
            sum += weight * value;
            total += weight;
          }
        }
        CHECK(known.missing[j] == lost);
        CHECK(std::abs(known.mean[j] - (total > 0.0 ? sum / total : 0.0)) < 1e-12);
      }
    }
  }
}

TEST_CASE("missing values are filled, and indicators follow the features") {
  const Gaps gaps = simulate(50, 4, 7);
  const std::vector<double> numbers = {1.0, 2.0, 3.0, 4.0};
  const std::vector<int> marked = {0, 2};
  std::vector<double> filled(50 * 6);
  ThreadHost host(2);
  data::fill_missing(gaps.view(), 0, numbers, marked, host, {filled.data(), 50, 6});
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double value = gaps.view()(i, j);
      CHECK(filled[j * 50 + i] == (std::isnan(value) ? numbers[j] : value));
    }
    CHECK(filled[4 * 50 + i] == 1.0);
    CHECK(filled[5 * 50 + i] == (std::isnan(gaps.view()(i, 2)) ? 1.0 : 0.0));
  }
  CHECK_THROWS_AS(
      data::fill_missing(gaps.view(), 0, numbers, {}, host, {filled.data(), 50, 6}),
      rankmix::InvalidArgument);
}
