// Random numbers for tests, which are the same with every standard library.
//
// The C++ standard defines the numbers of std::mt19937, but not the algorithms of the
// distributions and of std::shuffle, which differ between libraries. So tests use the
// distributions of this file. Their interface is the same as in the standard.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

namespace draw {

// 64 random bits, also from a generator of 32 bits.
inline std::uint64_t bits(std::mt19937_64& random) { return random(); }
inline std::uint64_t bits(std::mt19937& random) {
  const std::uint64_t low = random();
  return low | static_cast<std::uint64_t>(random()) << 32;
}

// A uniform number in [0, 1).
template <class Random>
double unit(Random& random) {
  return std::ldexp(static_cast<double>(bits(random) >> 11), -53);
}

// Uniform numbers in [min, max).
template <class Real = double>
class Uniform {
 public:
  explicit Uniform(Real min = 0, Real max = 1) : min_(min), max_(max) {}
  template <class Random>
  Real operator()(Random& random) {
    return min_ + (max_ - min_) * static_cast<Real>(unit(random));
  }

 private:
  Real min_;
  Real max_;
};

// Uniform integers from min to max. For up to 2^32 integers, the bias of a probability
// is at most a fraction of 2^-32.
template <class Integer = int>
class Whole {
 public:
  Whole(Integer min, Integer max)
      : min_(min),
        count_(static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min) + 1) {}
  template <class Random>
  Integer operator()(Random& random) {
    return static_cast<Integer>(static_cast<std::uint64_t>(min_) + bits(random) % count_);
  }

 private:
  Integer min_;
  std::uint64_t count_;
};

// Normal numbers by the polar method (Marsaglia & Bray 1964), which computes pairs.
template <class Real = double>
class Normal {
 public:
  explicit Normal(Real mean = 0) : mean_(mean) {}
  template <class Random>
  Real operator()(Random& random) {
    has_other_ = !has_other_;
    if (!has_other_) {
      return mean_ + static_cast<Real>(other_);
    }
    double x = 0.0;
    double y = 0.0;
    double square = 0.0;
    do {
      x = 2.0 * unit(random) - 1.0;
      y = 2.0 * unit(random) - 1.0;
      square = x * x + y * y;
    } while (square > 1.0 || square == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    other_ = x * factor;
    return mean_ + static_cast<Real>(y * factor);
  }

 private:
  Real mean_;
  double other_ = 0.0;
  bool has_other_ = false;
};

template <class Iterator, class Random>
void shuffle(Iterator begin, Iterator end, Random&& random) {
  for (auto left = end - begin; left > 1; --left) {
    const auto taken = bits(random) % static_cast<std::uint64_t>(left);
    std::swap(begin[left - 1], begin[static_cast<decltype(left)>(taken)]);
  }
}

}  // namespace draw
