#include "core/base/exp.h"

#include <cstddef>

namespace rankmix {
namespace {

constexpr int kWide = 4;

RANKMIX_INLINE void exp_each(View<double> exponents) {
  std::size_t j = 0;
  for (; j + kWide <= exponents.size(); j += kWide) {
    exp_in_place<kWide>(exponents.data() + j);
  }
  for (; j < exponents.size(); ++j) {
    exp_in_place<1>(exponents.data() + j);
  }
}
void exp_plain(View<double> exponents) { exp_each(exponents); }
RANKMIX_AVX2 void exp_avx2(View<double> exponents) { exp_each(exponents); }

}  // namespace

void exp_of_all(View<double> exponents) {
  (has_avx2() ? exp_avx2 : exp_plain)(exponents);
}

}  // namespace rankmix
