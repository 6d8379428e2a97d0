// Cuts a range of rows into blocks of a fixed size and sums over them.
//
// The cut depends on the number of rows alone, and partial sums are merged in block
// order: a sum has the same bits on any number of threads.
#pragma once
#include <algorithm>
#include <cstddef>
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

// Sum over blocks of body(begin, end), a double.
template <class Body>
double sum_over_blocks(Host& host, std::size_t rows, const Body& body) {
  std::vector<double> partial(block_count(rows), 0.0);
  for_each_block(host, rows,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   partial[block] = body(begin, end);
                 });
  double sum = 0.0;
  for (double p : partial) {
    sum += p;
  }
  return sum;
}

}  // namespace rankmix
