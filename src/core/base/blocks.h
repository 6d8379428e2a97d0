// Cuts a range of rows into blocks of a fixed size and sums over them.
//
// The cut depends on the number of rows alone, and partial sums are merged in block
// order: a sum has the same bits on any number of threads.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"

namespace rankmix {

// Long enough to hide the cost of a task, short enough to keep several threads busy.
constexpr std::size_t kRowBlock = 8192;

inline std::size_t block_count(std::size_t rows) {
  return (rows + kRowBlock - 1) / kRowBlock;
}

// Calls body(block, begin, end) for each block of [0, rows).
template <class Body>
void for_each_block(Host& host, std::size_t rows, const Body& body) {
  auto run = [&](std::size_t block) {
    const std::size_t begin = block * kRowBlock;
    body(block, begin, std::min(rows, begin + kRowBlock));
  };
  if (block_count(rows) == 1) {
    run(0);
  } else {
    host.parallel_for(block_count(rows), run);
  }
}

// Sum over blocks of body(begin, end), merged in block order.
template <class Sum, class Body>
Sum sum_over_blocks(Host& host, std::size_t rows, const Body& body) {
  std::vector<Sum> partial(block_count(rows));
  for_each_block(host, rows,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   partial[block] = body(begin, end);
                 });
  Sum sum{};
  for (const Sum& p : partial) {
    sum += p;
  }
  return sum;
}

// A number of magnitude at most 1 in units of 2^-62. Sums of such numbers that stay
// within [-1, 1] are exact, so that they do not depend on the order of the rows either;
// each number is off by less than one unit.
inline std::int64_t to_fixed(double x) {
  constexpr double kUnits = static_cast<double>(std::int64_t{1} << 62);
  return static_cast<std::int64_t>(x * kUnits);
}
inline double from_fixed(std::int64_t units) {
  return std::ldexp(static_cast<double>(units), -62);
}

}  // namespace rankmix
