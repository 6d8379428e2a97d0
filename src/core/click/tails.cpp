#include "core/click/tails.h"

#include <algorithm>
#include <limits>

#include "core/base/blocks.h"
#include "core/base/random.h"

namespace rankmix::click {
namespace {

// The position of the last click, from 1; 0 for none.
std::size_t last_click(const Sessions& log, std::size_t session) {
  std::size_t row = log.end(session);
  while (row > log.begin(session) && log.clicked[row - 1] == 0) {
    --row;
  }
  return row - log.begin(session);
}

void add_head(const Sessions& log, std::size_t session, std::size_t last, bool all,
              Heads& heads) {
  const auto copies = static_cast<double>(log.copies_of(session));
  const std::size_t end = all ? log.end(session) : log.begin(session) + last;
  for (std::size_t row = log.begin(session); row < end; ++row) {
    const std::size_t pair = log.pair_of(row);
    const bool click = log.clicked[row] == 1;
    heads.examined[pair] += copies;
    heads.clicked[pair] += click ? copies : 0.0;
    const std::size_t position = row - log.begin(session);
    if (position + 1 < last) {
      heads.returned[pair] += click ? copies : 0.0;
      heads.returned_at[position] += click ? copies : 0.0;
      heads.skipped += click ? 0.0 : copies;
    }
  }
}

// Sorted by the pair of the last row first. Then tails of one query are neighbours in
// memory, and collecting the rows of a pair is fast.
struct Candidate {
  std::uint64_t hash;
  std::uint32_t session;
  std::uint32_t last;
  int lowest_pair;

  bool operator<(const Candidate& other) const {
    if (lowest_pair != other.lowest_pair) {
      return lowest_pair < other.lowest_pair;
    }
    return hash != other.hash ? hash < other.hash : session < other.session;
  }
};

std::size_t first_row(const Sessions& log, const Candidate& tail) {
  return log.begin(tail.session) + (tail.last > 0 ? tail.last - 1 : 0);
}

std::uint64_t hash_of(const Sessions& log, const Candidate& tail) {
  std::uint64_t hash = mix_bits(tail.last);
  for (std::size_t row = first_row(log, tail); row < log.end(tail.session); ++row) {
    hash = mix_bits(hash ^ log.pair_of(row));
  }
  return hash;
}

bool same_tail(const Sessions& log, const Candidate& a, const Candidate& b) {
  const int* pairs = log.pair.begin();
  return a.hash == b.hash && a.last == b.last &&
         std::equal(pairs + first_row(log, a), pairs + log.end(a.session),
                    pairs + first_row(log, b), pairs + log.end(b.session));
}

// Tails of equal hashes are neighbours. Different tails with the same hash are rare. In
// this case, equal tails may be kept twice, which does not change any sum.
void keep_distinct(const Sessions& log, const std::vector<Candidate>& sorted,
                   Tails& tails) {
  tails.starts.assign(1, 0);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto copies = static_cast<double>(log.copies_of(sorted[i].session));
    if (i > 0 && same_tail(log, sorted[i - 1], sorted[i])) {
      tails.sessions.back() += copies;
      continue;
    }
    for (std::size_t row = first_row(log, sorted[i]); row < log.end(sorted[i].session);
         ++row) {
      tails.pair.push_back(static_cast<std::uint32_t>(log.pair[row]));
    }
    tails.starts.push_back(tails.pair.size());
    tails.last.push_back(sorted[i].last);
    tails.sessions.push_back(copies);
  }
}

void sort_by_pair(std::size_t pairs, Tails& tails) {
  if (tails.pair.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument("too many rows below last clicks");
  }
  tails.pair_starts.assign(pairs + 1, 0);
  for (const std::uint32_t pair : tails.pair) {
    ++tails.pair_starts[pair + 1];
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    tails.pair_starts[p + 1] += tails.pair_starts[p];
  }
  std::vector<std::size_t> next = tails.pair_starts;
  tails.rows.resize(tails.pair.size());
  for (std::size_t row = 0; row < tails.pair.size(); ++row) {
    tails.rows[next[tails.pair[row]]++] = static_cast<std::uint32_t>(row);
  }
}

}  // namespace

SplitLog split_at_last_click(const Sessions& log, bool certain_skips, Host& host) {
  check_sessions(log);
  SplitLog split;
  Heads& heads = split.heads;
  heads.examined.assign(log.pairs, 0.0);
  heads.clicked.assign(log.pairs, 0.0);
  heads.returned.assign(log.pairs, 0.0);
  heads.returned_at.assign(log.depth, 0.0);
  std::vector<Candidate> tails;
  for (std::size_t i = 0; i < log.count(); ++i) {
    if (i % (64 * kRowBlock) == 0) {
      host.checkpoint();
    }
    if (log.copies_of(i) == 0) {
      continue;
    }
    const std::size_t last = last_click(log, i);
    const bool all = certain_skips && last == 0;
    add_head(log, i, last, all, heads);
    if (!all && last < log.end(i) - log.begin(i)) {
      tails.push_back({0, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(last),
                       log.pair[log.end(i) - 1]});
    }
  }
  for_each_block(host, tails.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t t = begin; t < end; ++t) {
                     tails[t].hash = hash_of(log, tails[t]);
                   }
                 });
  std::sort(tails.begin(), tails.end());
  keep_distinct(log, tails, split.tails);
  sort_by_pair(log.pairs, split.tails);
  return split;
}

}  // namespace rankmix::click
