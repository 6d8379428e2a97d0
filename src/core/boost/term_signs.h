// The sides of rows in a product of stumps, and the signs of rows in the sums that are
// kept. For a term, the sign of a row is the product of its sides in all other terms,
// where right is -1.
//
// Sides and signs are stored as bits, and 64 rows are compared at a time. So it takes
// almost no time to find the kept sums that differ in the fewest rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/row_bits.h"
#include "core/base/views.h"
#include "core/boost/weights.h"

namespace rankmix::boost {

// The kept sums that are nearest to the sums that a term needs. After the negation that
// `negated` requires, `rows` rows of all ranks still have the wrong sign.
struct NearestSums {
  std::size_t position;
  std::uint32_t negated;  // all bits if the sums have to be negated, else no bit
  double rows;
};

// Some rows, and whether each counts with its sign negated: all bits, or none.
struct TurnedRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::int8_t> negated;
};

class TermSigns {
 public:
  // Starts with all rows on the left of all terms. There are `sums` positions for sums.
  void reset(std::size_t rows, std::size_t terms, std::size_t sums);
  std::size_t rows() const { return right_in_all_.rows(); }
  // Stores the side of each row in term j: 1 for right, 0 for left.
  void set_sides(std::size_t j, const LeafIds& sides, Host& host);
  // The kept sums that are nearest to the sums that term j needs, among the first
  // `positions` of them.
  NearestSums nearest(std::size_t j, std::size_t positions, Host& host) const;
  // Lists the rows of this rank whose sign in the sums `from` is wrong for term j, with
  // the sign that term j needs. Position `to` has the sums of term j from now on. The i-th
  // row of the sample is rows[i], or i if `rows` is empty.
  void list_rest(const NearestSums& from, std::size_t j, std::size_t to,
                 View<const std::uint32_t> rows, Host& host, TurnedRows& rest);
  // Whether term j needs each row with its sign negated: all bits, or none.
  void turn_all(std::size_t j, Host& host, std::vector<std::int8_t>& negated) const;
  // 1 if the row is on the right of an odd number of terms, else 0: of all terms, or of
  // all terms except term j.
  std::uint32_t parity(std::size_t row) const { return right_in_all_[row]; }
  std::uint32_t parity_without(std::size_t j, std::size_t row) const {
    return right_in_all_[row] ^ right_[j][row];
  }

 private:
  std::uint64_t needed(std::size_t j, std::size_t w) const {
    return right_in_all_.word(w) ^ right_[j].word(w);
  }

  RowBits right_in_all_;        // rows that are right in an odd number of terms
  std::vector<RowBits> right_;  // rows that are right in each term
  std::vector<RowBits> signs_;  // for each position, rows with a negative sign
};

}  // namespace rankmix::boost
