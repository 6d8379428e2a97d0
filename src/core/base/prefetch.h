// Prefetching of memory into the cache.
#pragma once
#include <cstddef>

#include "core/base/simd.h"

namespace rankmix {

// How many rows ahead of the current row a loop prefetches.
constexpr std::size_t kPrefetchRows = 32;

// Must be inlined: the compiler would remove a call of this function, because it has no
// effect that the compiler can see.
RANKMIX_INLINE void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace rankmix
