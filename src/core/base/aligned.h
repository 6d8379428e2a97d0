// Vectors whose data start at a cache line. They hold arrays that are read in whole SIMD
// registers.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

#include "core/base/errors.h"

namespace rankmix {

constexpr std::size_t kCacheLine = 64;

// Throws OutOfMemory, so that the error names the size.
inline void* allocate_aligned(std::size_t bytes, std::align_val_t alignment) {
  void* memory = ::operator new(bytes, alignment, std::nothrow);
  if (memory == nullptr) {
    throw OutOfMemory(bytes);
  }
  return memory;
}

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {
  }  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) {
    return static_cast<T*>(allocate_aligned(n * sizeof(T), std::align_val_t(kCacheLine)));
  }
  void deallocate(T* p, std::size_t) {
    ::operator delete(p, std::align_val_t(kCacheLine));
  }
  template <class U>
  bool operator==(const CacheLineAllocator<U>&) const {
    return true;
  }
  template <class U>
  bool operator!=(const CacheLineAllocator<U>&) const {
    return false;
  }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace rankmix
