#include "core/base/simd.h"

#include <atomic>

namespace rankmix {
namespace {

std::atomic<bool> avx2_allowed{true};

bool processor_has_avx2() {
#if RANKMIX_HAS_AVX2
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

}  // namespace

bool has_avx2() {
  static const bool has = processor_has_avx2();
  return has && avx2_allowed;
}

void allow_avx2(bool allowed) { avx2_allowed = allowed; }

}  // namespace rankmix
