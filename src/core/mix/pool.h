// The documents of several runs, pooled query by query.
//
// Given for each entry of the runs, run after run, its query and its document as numbers
// from 0; what comes out are rows, one for each document of a query, sorted by query, and
// which row each entry belongs to. Documents of a query stand in order of appearance.
// Cost: linear in entries and documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::mix {

struct Entries {
  View<const int> query;
  View<const int> document;
  View<const int> sizes;  // how many entries each run has
  std::size_t queries = 0;
  std::size_t documents = 0;
};

struct Pool {
  std::vector<int> row;       // of each entry
  std::vector<int> query;     // of each row
  std::vector<int> document;  // of each row
  int run_with_twice = -1;    // a run that has a document of a query twice, or -1
};

Pool pool_entries(const Entries& entries);

}  // namespace rankmix::mix
