// Features whose best splits have nearly the same score, for tests of searches.
#pragma once
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

// Returns `features` columns, one after the other: `column`, and copies of it in which a
// few rows are swapped.
inline std::vector<double> close_features(const std::vector<double>& column,
                                          std::size_t features, std::mt19937_64& random) {
  std::vector<double> x = column;
  for (std::size_t f = 1; f < features; ++f) {
    std::vector<double> other = column;
    for (int k = 0; k < 3; ++k) {
      std::swap(other[random() % other.size()], other[random() % other.size()]);
    }
    x.insert(x.end(), other.begin(), other.end());
  }
  return x;
}
