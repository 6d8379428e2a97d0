// Pools the documents of several runs by query.
//
// The input has one entry for each document in each run: the indices of its query and
// document, from 0. The output has one row for each document of a query, sorted by query,
// and the row of each entry. The documents of a query are in order of first appearance.
// The cost is linear in entries and documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::mix {

struct Entries {
  View<const int> query;
  View<const int> document;
  View<const int> sizes;  // number of entries of each run
  std::size_t queries = 0;
  std::size_t documents = 0;
};

struct Pool {
  std::vector<int> row;       // of each entry
  std::vector<int> query;     // of each row
  std::vector<int> document;  // of each row
  int run_with_twice = -1;    // a run in which a document of a query appears twice, or -1
};

Pool pool_entries(const Entries& entries);

}  // namespace rankmix::mix
