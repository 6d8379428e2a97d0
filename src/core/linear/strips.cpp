#include "core/linear/strips.h"

#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::linear {
namespace {

// Portable version of the AVX2 code below. Both do the same operations in the same order.
void multiply_plain(const Strip& strip, const double* weights, std::size_t classes,
                    double* products) {
  for (std::size_t j = 0; j < strip.columns; j += 2) {
    const bool is_last = j + 1 == strip.columns;
    const double* x = strip.x + j * strip.stride;
    const double* y = is_last ? x : x + strip.stride;
    for (std::size_t k = 0; k < classes; ++k) {
      const double a = weights[j * classes + k];
      const double b = is_last ? 0.0 : weights[(j + 1) * classes + k];
      double* to = products + k * strip.rows;
      for (std::size_t r = 0; r < strip.rows; ++r) {
        to[r] += a * x[r] + b * y[r];
      }
    }
  }
}

void add_plain(const Strip& strip, const double* values, std::size_t classes,
               double* sums) {
  for (std::size_t j = 0; j < strip.columns; ++j) {
    const double* x = strip.x + j * strip.stride;
    for (std::size_t k = 0; k < classes; ++k) {
      double lanes[kStripLanes] = {};
      for (std::size_t r = 0; r < strip.rows; ++r) {
        lanes[r % kStripLanes] += x[r] * values[k * strip.rows + r];
      }
      sums[j * classes + k] += sum_lanes<kStripLanes>(lanes);
    }
  }
}

#if RANKMIX_HAS_AVX2
// Compilers cannot exclude that products alias columns and would keep the sums in memory.
// So this code keeps them in registers explicitly.
constexpr std::size_t kRows = 8;
constexpr std::size_t kClasses = 4;

struct Pair {
  __m256d first[2];
  __m256d second[2];
};

RANKMIX_AVX2 RANKMIX_INLINE Pair load_pair(const double* x, const double* y) {
  return {{_mm256_loadu_pd(x), _mm256_loadu_pd(x + 4)},
          {_mm256_loadu_pd(y), _mm256_loadu_pd(y + 4)}};
}

struct Sums {
  __m256d half[2];

  RANKMIX_AVX2 RANKMIX_INLINE void load(const double* from) {
    half[0] = _mm256_loadu_pd(from);
    half[1] = _mm256_loadu_pd(from + 4);
  }
  RANKMIX_AVX2 RANKMIX_INLINE void store(double* to) const {
    _mm256_storeu_pd(to, half[0]);
    _mm256_storeu_pd(to + 4, half[1]);
  }
  RANKMIX_AVX2 RANKMIX_INLINE void add(const Pair& pair, double a, double b) {
    const __m256d by_first = _mm256_set1_pd(a);
    const __m256d by_second = _mm256_set1_pd(b);
    half[0] =
        _mm256_add_pd(half[0], _mm256_add_pd(_mm256_mul_pd(by_first, pair.first[0]),
                                             _mm256_mul_pd(by_second, pair.second[0])));
    half[1] =
        _mm256_add_pd(half[1], _mm256_add_pd(_mm256_mul_pd(by_first, pair.first[1]),
                                             _mm256_mul_pd(by_second, pair.second[1])));
  }
};

// Calls use(j, pair, is_full) for pairs of columns; is_full is false for a last single
// column.
template <class Use>
RANKMIX_AVX2 RANKMIX_INLINE void for_pairs(const Strip& strip, std::size_t r,
                                           const Use& use) {
  std::size_t j = 0;
  for (; j + 2 <= strip.columns; j += 2) {
    const double* x = strip.x + j * strip.stride + r;
    use(j, load_pair(x, x + strip.stride), true);
  }
  if (j < strip.columns) {
    const double* x = strip.x + j * strip.stride + r;
    use(j, load_pair(x, x), false);
  }
}

// Multiplies kRows rows for kClasses classes.
RANKMIX_AVX2 RANKMIX_INLINE void multiply_four(const Strip& strip, const double* weights,
                                               std::size_t classes, std::size_t r,
                                               double* products) {
  Sums s0;
  Sums s1;
  Sums s2;
  Sums s3;
  s0.load(products);
  s1.load(products + strip.rows);
  s2.load(products + 2 * strip.rows);
  s3.load(products + 3 * strip.rows);
  const double none[kClasses] = {};
  for_pairs(strip, r,
            [&](std::size_t j, const Pair& pair, bool is_pair)
                RANKMIX_AVX2 RANKMIX_INLINE_LAMBDA {
                  const double* a = weights + j * classes;
                  const double* b = is_pair ? a + classes : none;
                  s0.add(pair, a[0], b[0]);
                  s1.add(pair, a[1], b[1]);
                  s2.add(pair, a[2], b[2]);
                  s3.add(pair, a[3], b[3]);
                });
  s0.store(products);
  s1.store(products + strip.rows);
  s2.store(products + 2 * strip.rows);
  s3.store(products + 3 * strip.rows);
}

RANKMIX_AVX2 RANKMIX_INLINE void multiply_one(const Strip& strip, const double* weights,
                                              std::size_t classes, std::size_t r,
                                              double* products) {
  Sums sums;
  sums.load(products);
  for_pairs(strip, r,
            [&](std::size_t j, const Pair& pair, bool is_pair)
                RANKMIX_AVX2 RANKMIX_INLINE_LAMBDA {
                  const double* a = weights + j * classes;
                  sums.add(pair, *a, is_pair ? a[classes] : 0.0);
                });
  sums.store(products);
}

RANKMIX_AVX2 void multiply_avx2(const Strip& strip, const double* weights,
                                std::size_t classes, double* products) {
  for (std::size_t r = 0; r < strip.rows; r += kRows) {
    std::size_t k = 0;
    for (; k + kClasses <= classes; k += kClasses) {
      multiply_four(strip, weights + k, classes, r, products + k * strip.rows + r);
    }
    for (; k < classes; ++k) {
      multiply_one(strip, weights + k, classes, r, products + k * strip.rows + r);
    }
  }
}

RANKMIX_AVX2 RANKMIX_INLINE double dot_wide(const double* x, const double* y,
                                            std::size_t rows) {
  __m256d s0 = _mm256_setzero_pd();
  __m256d s1 = _mm256_setzero_pd();
  __m256d s2 = _mm256_setzero_pd();
  __m256d s3 = _mm256_setzero_pd();
  const auto product = [&](std::size_t r) RANKMIX_AVX2 RANKMIX_INLINE_LAMBDA {
    return _mm256_mul_pd(_mm256_loadu_pd(x + r), _mm256_loadu_pd(y + r));
  };
  for (std::size_t r = 0; r < rows; r += kStripLanes) {
    s0 = _mm256_add_pd(s0, product(r));
    s1 = _mm256_add_pd(s1, product(r + 4));
    s2 = _mm256_add_pd(s2, product(r + 8));
    s3 = _mm256_add_pd(s3, product(r + 12));
  }
  double lanes[kStripLanes];
  _mm256_storeu_pd(lanes, s0);
  _mm256_storeu_pd(lanes + 4, s1);
  _mm256_storeu_pd(lanes + 8, s2);
  _mm256_storeu_pd(lanes + 12, s3);
  return sum_lanes<kStripLanes>(lanes);
}

RANKMIX_AVX2 void add_avx2(const Strip& strip, const double* values, std::size_t classes,
                           double* sums) {
  for (std::size_t j = 0; j < strip.columns; ++j) {
    for (std::size_t k = 0; k < classes; ++k) {
      sums[j * classes + k] +=
          dot_wide(strip.x + j * strip.stride, values + k * strip.rows, strip.rows);
    }
  }
}
#endif

}  // namespace

void multiply_strip(const Strip& strip, const double* weights, std::size_t classes,
                    double* products) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    multiply_avx2(strip, weights, classes, products);
    return;
  }
#endif
  multiply_plain(strip, weights, classes, products);
}

void add_strip(const Strip& strip, const double* values, std::size_t classes,
               double* sums) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    add_avx2(strip, values, classes, sums);
    return;
  }
#endif
  add_plain(strip, values, classes, sums);
}

}  // namespace rankmix::linear
