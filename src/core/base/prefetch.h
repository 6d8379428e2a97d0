// Fetches what will be read soon.
#pragma once
#include <cstddef>

#include "core/base/simd.h"

namespace rankmix {

// Rows ahead that are fetched while a row is worked on.
constexpr std::size_t kPrefetchRows = 32;

// Inlined at all costs: a call would be dropped as one that does nothing.
RANKMIX_INLINE void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace rankmix
