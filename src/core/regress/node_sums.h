// Sums over a node's documents, and the score of its splits: the decrease of the fifth
// root of the variance V of the targets, where W is the sum of weights,
//   V^(1/5) - (W_l / W) V_l^(1/5) - (W_r / W) V_r^(1/5).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rankmix::regress {

struct NodeSums {
  double count = 0.0;   // number of documents
  double weight = 0.0;  // sum of weights
  double first = 0.0;   // sum of weight times target
  double second = 0.0;  // sum of weight times squared target

  NodeSums& operator+=(const NodeSums& other) {
    count += other.count;
    weight += other.weight;
    first += other.first;
    second += other.second;
    return *this;
  }
  NodeSums operator-(const NodeSums& other) const {
    return {count - other.count, weight - other.weight, first - other.first,
            second - other.second};
  }
  double mean() const { return first / weight; }
  // Variances within the rounding error of the mean square become 0, because their fifth
  // root would be large.
  double variance() const {
    constexpr double rounding = 1e-13;
    const double square = second / weight;
    const double found = square - mean() * mean();
    return found > rounding * square ? found : 0.0;
  }
};

// The fifth root of a nonnegative number, by three Halley steps from a guess within 4 %.
// This is faster than pow() and gives the same bits on every machine.
inline double fifth_root(double a) {
  if (!(a > 1e-300)) {
    return 0.0;
  }
  std::uint64_t bits;
  std::memcpy(&bits, &a, sizeof(bits));
  bits = bits / 5 + 0x3325C28F5C28F5C2U;  // the exponent without its bias, divided by 5
  double x;
  std::memcpy(&x, &bits, sizeof(x));
  for (int step = 0; step < 3; ++step) {
    const double x5 = x * x * x * x * x;
    x *= (2.0 * x5 + 3.0 * a) / (3.0 * x5 + 2.0 * a);
  }
  return x;
}

// Scores the splits of a node. Each side must have more than a fifth of the documents,
// and at least two.
struct SplitScorer {
  explicit SplitScorer(const NodeSums& sums)
      : all(sums),
        root(fifth_root(sums.variance())),
        least(std::floor(std::max(1.0, std::floor(sums.count / 5.0))) + 1.0) {}

  bool allows(const NodeSums& left) const {
    return left.count >= least && all.count - left.count >= least && left.weight > 0.0 &&
           left.weight < all.weight;
  }
  double score(const NodeSums& left) const {
    const NodeSums right = all - left;
    return root - (left.weight * fifth_root(left.variance()) +
                   right.weight * fifth_root(right.variance())) /
                      all.weight;
  }

  NodeSums all;
  double root;
  double least;
};

}  // namespace rankmix::regress
