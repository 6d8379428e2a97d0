// Fixed data for the digests of small fits, and the digests.
//
// The data come from integers and single divisions. So they have the same bits with every
// compiler, library and processor.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace digest_case {

using rankmix::MatrixView;
using rankmix::View;
using Numbers = std::vector<double>;

// SplitMix64 (Steele, Lea & Flood 2014).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(bits() % static_cast<std::uint64_t>(count));
  }
  // In [0, 1]. The divisor is a prime number, so that all bits of the quotient are used
  // and products are not exact.
  double unit() { return static_cast<double>(below(1000004)) / 1000003.0; }
  // In [-2, 2], with a peak at 0.
  double bell() {
    const std::size_t sum = below(250002) + below(250002) + below(250002) + below(250002);
    return (static_cast<double>(sum) - 500002.0) / 250007.0;
  }

 private:
  std::uint64_t state_;
};

inline Numbers bells(std::size_t count, std::uint64_t seed) {
  Draw draw(seed);
  Numbers numbers(count);
  for (double& number : numbers) {
    number = draw.bell();
  }
  return numbers;
}

// Judged documents with features that partly explain the grades 0 to 4.
struct Problem {
  std::size_t columns = 0;
  Numbers x;
  std::vector<int> order;
  std::vector<int> offsets{0};
  std::vector<int> query;  // of each document
  std::vector<int> grades;
  std::vector<int> positions;
  Numbers targets;  // 2^grade - 1
  Numbers weights;
  Numbers query_weights;
  Numbers row_weights;  // of the query of each document
  Numbers scores;       // some are equal

  std::size_t rows() const { return order.size(); }
  std::size_t queries() const { return offsets.size() - 1; }
  MatrixView<const double> view() const { return {x.data(), rows(), columns}; }
  rankmix::data::Queries by_query() const { return {order, offsets}; }
  // The documents with all their data.
  rankmix::objective::Documents documents() const {
    return {by_query(), grades, targets, weights, query_weights, {}};
  }
  // The documents without document weights.
  rankmix::objective::Documents equal_documents() const {
    return {by_query(), grades, targets, {}, query_weights, {}};
  }
};

struct Size {
  std::size_t queries = 40;
  std::size_t longest = 20;
  std::size_t columns = 6;
  bool gaps = false;  // some values are missing
};

inline void add_documents(const Size& size, Draw& draw, Problem& made) {
  for (std::size_t q = 0; q < size.queries; ++q) {
    const double weight = q % 9 == 4 ? 0.0 : 0.5 + draw.unit();
    const std::size_t length = q % 8 == 1 ? 1 : 2 + draw.below(size.longest - 1);
    for (std::size_t i = 0; i < length; ++i) {
      made.positions.push_back(static_cast<int>(length - 1 - i));
      made.order.push_back(static_cast<int>(made.order.size()));
      made.query.push_back(static_cast<int>(q) + 1);
      made.row_weights.push_back(weight);
      made.weights.push_back(draw.below(9) == 0 ? 0.0 : 0.5 + draw.unit());
      made.scores.push_back((static_cast<double>(draw.below(61)) - 30.0) / 23.0);
    }
    made.query_weights.push_back(weight);
    made.offsets.push_back(static_cast<int>(made.order.size()));
  }
}

inline Problem make_problem(const Size& size, std::uint64_t seed = 1) {
  Draw draw(seed);
  Problem made;
  made.columns = size.columns;
  add_documents(size, draw, made);
  for (std::size_t j = 0; j < size.columns; ++j) {
    for (std::size_t i = 0; i < made.rows(); ++i) {
      const double value = draw.bell();
      made.x.push_back(j % 3 == 2 ? std::floor(4.0 * value) / 7.0 : value);
    }
  }
  for (std::size_t i = 0; i < made.rows(); ++i) {
    const double utility = made.x[i] + 0.5 * made.x[made.rows() + i] + 0.5 * draw.bell();
    const int grade = static_cast<int>(std::floor(2.0 * utility + 1.5));
    made.grades.push_back(grade < 0 ? 0 : grade > 4 ? 4 : grade);
    made.targets.push_back(std::ldexp(1.0, made.grades.back()) - 1.0);
  }
  for (std::size_t i = 0; size.gaps && i < made.x.size(); ++i) {
    if (draw.below(11) == 0) {
      made.x[i] = std::nan("");
    }
  }
  return made;
}

// The 64-bit FNV-1a hash of the bits of the numbers and of their count. All NaN have the
// same hash, because processors give NaN different bits.
inline std::uint64_t digest_of(const Numbers& numbers) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  const auto add = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      hash = (hash ^ (word >> (8 * byte) & 0xFFU)) * 0x100000001B3ULL;
    }
  };
  add(numbers.size());
  for (const double number : numbers) {
    std::uint64_t bits = 0x7FF8000000000000ULL;
    if (!std::isnan(number)) {
      std::memcpy(&bits, &number, sizeof(bits));
    }
    add(bits);
  }
  return hash;
}

template <class Values>
void append(Numbers& to, const Values& values) {
  for (const auto& value : values) {
    to.push_back(static_cast<double>(value));
  }
}

}  // namespace digest_case
