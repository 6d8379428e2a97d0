// A click log: sessions, each a list of documents that was shown once, with its clicks.
//
// Rows are sorted by session and position. A pair is a query with one of its documents.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/base/errors.h"
#include "core/base/views.h"

namespace rankmix::click {

struct Sessions {
  View<const int> starts;   // session i has the rows starts[i] .. starts[i + 1] - 1
  View<const int> pair;     // of each row, from 0
  View<const int> clicked;  // of each row, 0 or 1
  View<const int> copies;   // of each session; empty if all are 1
  std::size_t pairs = 0;
  std::size_t depth = 0;  // rows of the longest session

  std::size_t count() const { return starts.size() - 1; }
  std::size_t begin(std::size_t session) const {
    return static_cast<std::size_t>(starts[session]);
  }
  std::size_t end(std::size_t session) const {
    return static_cast<std::size_t>(starts[session + 1]);
  }
  int copies_of(std::size_t session) const {
    return copies.empty() ? 1 : copies[session];
  }
  std::size_t pair_of(std::size_t row) const {
    return static_cast<std::size_t>(pair[row]);
  }
};

// Pseudo-counts of each probability. They are added to its successes and to its
// failures, such as clicks and missing clicks.
struct Prior {
  double yes = 1.0;
  double no = 1.0;
};

struct FitOptions {
  Prior prior;
  double tolerance = 1e-6;  // the largest change of an examination parameter
  std::size_t max_iterations = 500;
  bool accelerate = true;  // acceleration.h
};

inline void check_sessions(const Sessions& log) {
  if (log.starts.empty() || log.pair.size() != log.clicked.size() ||
      (!log.copies.empty() && log.copies.size() != log.count())) {
    throw InvalidArgument("the parts of the click log do not fit");
  }
}

}  // namespace rankmix::click
