// Queries that are on two ranks, which is an error: losses and metrics need all documents
// of a query.
//
// Ranks gather a hash of 64 bits of each query, and then the ids of the queries whose
// hashes two ranks have. So the memory for a query of any rank is 16 bytes.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/reducer.h"

namespace rankmix::data {

struct SharedQuery {
  std::size_t count = 0;  // number of such queries; at most 1,000 are counted
  std::string id;         // id of one of these queries
  std::size_t first = 0;  // two ranks that have this query
  std::size_t second = 0;
};

// `ids` are the distinct ids of this rank. The result is the same on all ranks.
SharedQuery find_shared_query(const std::vector<std::string>& ids, Reducer& reducer);

}  // namespace rankmix::data
