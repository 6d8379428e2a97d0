// The parts of a click log from which models of sequential users are fitted.
//
// A user goes from the top down. The head of a session is the part above the last click,
// where the user examined every row. The tail is the part below the last click, where it
// is unknown where the user stopped. For heads, counts are enough. Each distinct tail is
// kept once, with its number of sessions.
//
// A tail has the row of the last click, if there is one, and all rows below. Sessions that
// end with a click have no tail. With `certain_skips`, a user who has not clicked always
// continues. Then sessions without a click have no tail either, because all their rows
// were examined.
//
// Cost: O(rows + sessions log sessions).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/click/sessions.h"

namespace rankmix::click {

struct Tails {
  std::vector<std::size_t> starts;       // tail t has the rows starts[t] .. starts[t + 1]
  std::vector<std::uint32_t> pair;       // of each row
  std::vector<std::uint32_t> last;       // position of the last click, from 1; 0 for none
  std::vector<double> sessions;          // number of sessions of each tail
  std::vector<std::size_t> pair_starts;  // pair p is in the rows rows[pair_starts[p]] ..
  std::vector<std::uint32_t> rows;

  std::size_t count() const { return last.size(); }
};

struct Heads {
  std::vector<double> examined;     // of each pair: times that it was surely examined
  std::vector<double> clicked;      // of each pair
  std::vector<double> returned;     // of each pair: clicks with a later click
  std::vector<double> returned_at;  // of each position: clicks with a later click
  double skipped = 0.0;  // rows without a click, with the next row surely examined
};

struct SplitLog {
  Heads heads;
  Tails tails;
};

SplitLog split_at_last_click(const Sessions& log, bool certain_skips, Host& host);

}  // namespace rankmix::click
