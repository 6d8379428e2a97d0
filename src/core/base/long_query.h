// Interrupts in loops over the documents of one query.
#pragma once
#include <cstddef>

#include "core/base/host.h"

namespace rankmix {

// Queries up to this length take little time, so that polling would be a large part of it.
constexpr std::size_t kShortQuery = 512;

// Like Host::checkpoint(), for each document of a query whose documents are compared in
// pairs. A long query can take minutes.
inline void checkpoint_of_document(Host& host, std::size_t documents) {
  if (documents > kShortQuery) {
    host.checkpoint();
  }
}

}  // namespace rankmix
