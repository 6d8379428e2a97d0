#include "core/click/pair_counts.h"

#include <algorithm>

#include "core/base/blocks.h"

namespace rankmix::click {
namespace {

// The rows of each pair, without their order: 2 * context + click, and copies.
struct SortedRows {
  std::vector<std::size_t> starts;
  std::vector<std::uint16_t> codes;
  std::vector<int> copies;  // empty if all are 1
};

std::vector<std::size_t> pair_starts(const Sessions& log) {
  std::vector<std::size_t> starts(log.pairs + 1, 0);
  for (const int pair : log.pair) {
    ++starts[static_cast<std::size_t>(pair) + 1];
  }
  for (std::size_t p = 0; p < log.pairs; ++p) {
    starts[p + 1] += starts[p];
  }
  return starts;
}

SortedRows sorted_rows(const Sessions& log, const Contexts& contexts, Host& host) {
  SortedRows sorted{pair_starts(log), {}, {}};
  std::vector<std::size_t> next = sorted.starts;
  sorted.codes.resize(log.pair.size());
  sorted.copies.resize(log.copies.empty() ? 0 : log.pair.size());
  for (std::size_t i = 0; i < log.count(); ++i) {
    if (i % (64 * kRowBlock) == 0) {
      host.checkpoint();
    }
    std::size_t previous = 0;
    for (std::size_t row = log.begin(i); row < log.end(i); ++row) {
      const std::size_t position = row - log.begin(i);
      const auto click = static_cast<std::size_t>(log.clicked[row]);
      const std::size_t to = next[log.pair_of(row)]++;
      sorted.codes[to] =
          static_cast<std::uint16_t>(2 * contexts.at(position, previous) + click);
      if (!log.copies.empty()) {
        sorted.copies[to] = log.copies[i];
      }
      previous = click == 1 ? position + 1 : previous;
    }
  }
  return sorted;
}

// Counts the entries of one pair after the other.
class Counter {
 public:
  explicit Counter(std::size_t contexts) : shown_(contexts, 0), clicked_(contexts, 0) {}

  // Appends the entries of a pair in the order of contexts.
  void count(const SortedRows& rows, std::size_t pair, std::vector<PairCount>& entries) {
    for (std::size_t i = rows.starts[pair]; i < rows.starts[pair + 1]; ++i) {
      const std::size_t context = rows.codes[i] / 2;
      const auto copies =
          static_cast<std::uint32_t>(rows.copies.empty() ? 1 : rows.copies[i]);
      if (shown_[context] == 0 && copies > 0) {
        seen_.push_back(static_cast<std::uint32_t>(context));
      }
      shown_[context] += copies;
      clicked_[context] += copies * (rows.codes[i] & 1U);
    }
    std::sort(seen_.begin(), seen_.end());
    for (const std::uint32_t context : seen_) {
      entries.push_back({context, shown_[context], clicked_[context]});
      shown_[context] = 0;
      clicked_[context] = 0;
    }
    seen_.clear();
  }

 private:
  std::vector<std::uint32_t> shown_;
  std::vector<std::uint32_t> clicked_;
  std::vector<std::uint32_t> seen_;
};

}  // namespace

PairCounts pair_counts(const Sessions& log, const Contexts& contexts, Host& host) {
  check_sessions(log);
  if (contexts.count() > kMaxContexts) {
    throw InvalidArgument("too many contexts");
  }
  const SortedRows rows = sorted_rows(log, contexts, host);
  std::vector<std::vector<PairCount>> parts(block_count(log.pairs));
  PairCounts found;
  found.starts.assign(log.pairs + 1, 0);
  for_each_block(host, log.pairs, RowCost::kHeavy,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   Counter counter(contexts.count());
                   for (std::size_t pair = begin; pair < end; ++pair) {
                     const std::size_t before = parts[block].size();
                     counter.count(rows, pair, parts[block]);
                     found.starts[pair + 1] = parts[block].size() - before;
                   }
                 });
  for (std::size_t pair = 0; pair < log.pairs; ++pair) {
    found.starts[pair + 1] += found.starts[pair];
  }
  found.entries.reserve(found.starts.back());
  for (std::vector<PairCount>& part : parts) {
    found.entries.insert(found.entries.end(), part.begin(), part.end());
    std::vector<PairCount>().swap(part);
  }
  return found;
}

}  // namespace rankmix::click
