// The rows' sides in a product of stumps, and the signs with which the sums that are kept
// were taken: a row counts for a term with the product of its sides on all others, -1 for
// each right one.
//
// All of this is bits, of which 64 rows are compared at a time: to find the sums that
// differ in the fewest rows costs next to nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/row_bits.h"
#include "core/base/views.h"
#include "core/boost/weights.h"

namespace rankmix::boost {

// The sums nearest to those that are sought, by their position: all but so many rows have
// the sign that is needed, or all but so many have the opposite.
struct NearestSums {
  std::size_t position;
  std::uint32_t negated;  // whether the sums count with the opposite: all bits, or none
  std::size_t rows;
};

// Some rows, and for each whether it counts with its sign negated: all bits, or none.
struct TurnedRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::int8_t> negated;
};

class TermSigns {
 public:
  // So many rows, all on the left of so many terms, and positions for so many sums.
  void reset(std::size_t rows, std::size_t terms, std::size_t sums);
  std::size_t rows() const { return right_in_all_.rows(); }
  // Notes which rows are on the right of term j, 1 or 0.
  void set_sides(std::size_t j, const LeafIds& sides, Host& host);
  // Of the sums in the first `positions` those nearest to what term j needs.
  NearestSums nearest(std::size_t j, std::size_t positions) const;
  // The rows that the sums `from` lack, as term j needs them, which has its own sums in
  // position `to` from now on. The i-th is row rows[i], or row i where there are none.
  void list_rest(const NearestSums& from, std::size_t j, std::size_t to,
                 View<const std::uint32_t> rows, Host& host, TurnedRows& rest);
  // For each row whether term j needs it negated: all bits, or none.
  void turn_all(std::size_t j, Host& host, std::vector<std::int8_t>& negated) const;
  // Whether an odd number of terms have the row on their right, 1 or 0; all terms, or all
  // but term j.
  std::uint32_t parity(std::size_t row) const { return right_in_all_[row]; }
  std::uint32_t parity_without(std::size_t j, std::size_t row) const {
    return right_in_all_[row] ^ right_[j][row];
  }

 private:
  std::uint64_t needed(std::size_t j, std::size_t w) const {
    return right_in_all_.word(w) ^ right_[j].word(w);
  }

  RowBits right_in_all_;        // of an odd number of terms
  std::vector<RowBits> right_;  // of each term
  std::vector<RowBits> signs_;  // in the sums of each position, set where negative
};

}  // namespace rankmix::boost
