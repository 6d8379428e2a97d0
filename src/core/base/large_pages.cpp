#include "core/base/large_pages.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rankmix {

void advise_large_pages(void* begin, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  madvise(begin, bytes, MADV_HUGEPAGE);
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace rankmix
