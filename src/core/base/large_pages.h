// Vectors in large memory pages, if the system supports them. They are for arrays of
// megabytes whose rows are read by a list of indices. With small pages, every second row
// would also cost a miss of the translation lookaside buffer (TLB).
// New numbers are not set to zero. So each page is first written by the thread that fills
// it, and pages that are never filled take no memory.
#pragma once
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "core/base/aligned.h"

namespace rankmix {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

// Requests large pages from the system. Does nothing on systems without them.
void advise_large_pages(void* begin, std::size_t bytes);

// Aligns memory to large pages if it spans several of them.
template <class T>
struct LargePageAllocator {
  using value_type = T;
  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {
  }  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* memory = allocate_aligned(bytes, alignment(bytes));
    if (bytes >= kMinBytes) {
      advise_large_pages(memory, bytes);
    }
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n * sizeof(T))); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  template <class U>
  bool operator==(const LargePageAllocator<U>&) const {
    return true;
  }
  template <class U>
  bool operator!=(const LargePageAllocator<U>&) const {
    return false;
  }

 private:
  static constexpr std::size_t kMinBytes = 2 * kLargePage;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t(bytes >= kMinBytes ? kLargePage : kCacheLine);
  }
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace rankmix
