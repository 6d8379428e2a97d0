// Cuts a range of rows into blocks of a fixed size and sums over them.
//
// The blocks depend on the number of rows alone, and partial sums are added in block
// order. So a sum has the same bits on any number of threads. Sums over blocks and pieces
// cover the rows of this rank. sum_tables() and the sums of exact_sum.h cover the rows of
// all ranks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix {

// Number of rows in a block. A block takes much longer than the overhead of a task, but
// there are enough blocks for several threads.
constexpr std::size_t kRowBlock = 8192;

inline std::size_t block_count(std::size_t rows) {
  return (rows + kRowBlock - 1) / kRowBlock;
}

// The cost of one row. Light: a few memory accesses. Heavy: many arithmetic operations.
// Light work on fewer than kLightRows rows stays on the calling thread, because waking
// other threads takes longer than the work.
enum class RowCost { kLight, kHeavy };
constexpr std::size_t kLightRows = 2 * kRowBlock;

// Calls body(part, begin, end) for each part of [0, rows). Parts have `length` rows; the
// last part may be shorter.
template <class Body>
void for_each_part(Host& host, std::size_t rows, std::size_t length, bool parallel,
                   const Body& body) {
  const std::size_t parts = (rows + length - 1) / length;
  auto run = [&](std::size_t part) {
    body(part, part * length, std::min(rows, (part + 1) * length));
  };
  if (parallel) {
    host.parallel_for(parts, run);
  } else {
    for (std::size_t part = 0; part < parts; ++part) {
      run(part);
    }
  }
}

// Calls body(block, begin, end) for each block of [0, rows), in parallel if that is
// worthwhile.
template <class Body>
void for_each_block(Host& host, std::size_t rows, RowCost cost, const Body& body) {
  for_each_part(host, rows, kRowBlock, cost == RowCost::kHeavy || rows >= kLightRows,
                body);
}

// Pieces are for rows that are read by a list of indices. Each such row costs a few cache
// misses, so several threads are useful even for fewer rows. Pieces are shorter if the
// rows are few; otherwise one thread would wait for the last piece of another thread.
constexpr std::size_t kShortPiece = kRowBlock / 4;

inline std::size_t piece_rows(std::size_t rows) {
  return rows < kLightRows ? kShortPiece : 2 * kShortPiece;
}
inline std::size_t piece_count(std::size_t rows) {
  return (rows + piece_rows(rows) - 1) / piece_rows(rows);
}

// Calls body(piece, begin, end) for each piece of [0, rows).
template <class Body>
void for_each_piece(Host& host, std::size_t rows, const Body& body) {
  for_each_part(host, rows, piece_rows(rows), rows > kShortPiece, body);
}

// The sum of `parts`, added in the order of the vector.
template <class Sum>
Sum sum_of_parts(const std::vector<Sum>& parts) {
  Sum sum{};
  for (const Sum& part : parts) {
    sum += part;
  }
  return sum;
}

// The sum of body(begin, end) over blocks, or over pieces. `Sum` is the type of the
// result.
template <class Sum, class Body>
Sum sum_over_blocks(Host& host, std::size_t rows, const Body& body) {
  std::vector<Sum> parts(block_count(rows));
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   parts[block] = body(begin, end);
                 });
  return sum_of_parts(parts);
}
template <class Sum, class Body>
Sum sum_over_pieces(Host& host, std::size_t rows, const Body& body) {
  std::vector<Sum> parts(piece_count(rows));
  for_each_piece(host, rows, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    parts[piece] = body(begin, end);
  });
  return sum_of_parts(parts);
}

// Adds up a table of `size` integers over the rows of all ranks. add(row, sums) adds the
// contribution of a row to a table. There is one table for each of at most 8 parts of the
// rows; one table for each block would take too much memory.
template <class Add>
std::vector<std::int64_t> sum_tables(Host& host, std::size_t rows, std::size_t size,
                                     const Add& add) {
  constexpr std::size_t max_parts = 8;
  const std::size_t parts = rows < kLightRows ? 1 : max_parts;
  std::vector<std::vector<std::int64_t>> tables(parts);
  auto run = [&](std::size_t part) {
    tables[part].assign(size, 0);
    for (std::size_t i = rows * part / parts; i < rows * (part + 1) / parts; ++i) {
      add(i, tables[part].data());
    }
  };
  if (parts == 1) {
    run(0);
  } else {
    host.parallel_for(parts, run);
  }
  for (std::size_t part = 1; part < parts; ++part) {
    for (std::size_t j = 0; j < size; ++j) {
      tables[0][j] += tables[part][j];
    }
  }
  host.reducer().add(View<std::int64_t>(tables[0].data(), size));
  return std::move(tables[0]);
}

constexpr double kFixedUnits = static_cast<double>(std::int64_t{1} << 62);

// Converts a number of magnitude at most 1 to fixed point, in units of 2^-62. The error
// of each number is below one unit. Sums that stay within [-1, 1] are exact, so they do
// not depend on the order of the rows.
inline std::int64_t to_fixed(double x) {
  return static_cast<std::int64_t>(x * kFixedUnits);
}
inline double from_fixed(std::int64_t units) {
  return static_cast<double>(units) / kFixedUnits;
}

}  // namespace rankmix
