#include "core/mix/pool.h"

#include "core/base/errors.h"

namespace rankmix::mix {
namespace {

// Indices of the entries sorted by query; the order within a query is kept.
std::vector<int> by_query(const Entries& entries) {
  std::vector<int> next(entries.queries + 1);
  for (const int query : entries.query) {
    ++next[static_cast<std::size_t>(query) + 1];
  }
  for (std::size_t q = 0; q < entries.queries; ++q) {
    next[q + 1] += next[q];
  }
  std::vector<int> sorted(entries.query.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(entries.query[i])]++)] =
        static_cast<int>(i);
  }
  return sorted;
}

std::vector<int> run_of_entries(const Entries& entries) {
  std::vector<int> run;
  run.reserve(entries.query.size());
  for (std::size_t r = 0; r < entries.sizes.size(); ++r) {
    run.insert(run.end(), static_cast<std::size_t>(entries.sizes[r]),
               static_cast<int>(r));
  }
  return run;
}

}  // namespace

Pool pool_entries(const Entries& entries) {
  const std::vector<int> run = run_of_entries(entries);
  if (run.size() != entries.query.size() || run.size() != entries.document.size()) {
    throw InvalidArgument("entries of runs have different lengths");
  }
  Pool pool;
  pool.row.resize(run.size());
  std::vector<int> last_run;  // the last run with the document of a row
  // The last row of each document. If that row belongs to an earlier query, the document
  // is new in the current query.
  std::vector<int> row_of(entries.documents, -1);
  for (const int entry : by_query(entries)) {
    const auto i = static_cast<std::size_t>(entry);
    const int query = entries.query[i];
    int& row = row_of[static_cast<std::size_t>(entries.document[i])];
    if (row < 0 || pool.query[static_cast<std::size_t>(row)] != query) {
      row = static_cast<int>(pool.query.size());
      pool.query.push_back(query);
      pool.document.push_back(entries.document[i]);
      last_run.push_back(-1);
    }
    int& last = last_run[static_cast<std::size_t>(row)];
    if (last == run[i] && pool.run_with_twice < 0) {
      pool.run_with_twice = run[i];
    }
    last = run[i];
    pool.row[i] = row;
  }
  return pool;
}

}  // namespace rankmix::mix
