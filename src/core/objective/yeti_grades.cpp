#include "core/objective/yeti_grades.h"

#include <algorithm>

#include "core/base/exp.h"
#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix::objective {
namespace {

constexpr std::size_t kWide = GradeGradients::kWide;

// Two documents of a grade, which are paired with each document of another grade. If the
// number of documents is odd, the second one is a copy with weight 0.
struct TwoRows {
  double power[2];
  double grade_weights[2];  // of coming before the other grade
  double gradient[2];
  double hessian[2];
};

// The documents of a grade, padded to a multiple of kWide. Padding has power 0.
struct Others {
  const double* power;
  double* gradient;
  double* hessian;
  std::size_t size;
};

// Portable version of the AVX2 code below. Both do the same operations in the same order.
template <bool Newton>
void add_plain(TwoRows& rows, const Others& others) {
  double gradient[2][kWide] = {};
  double hessian[2][kWide] = {};
  for (std::size_t j = 0; j < others.size; ++j) {
    const double power = others.power[j];
    const double sum[2] = {rows.power[0] + power, rows.power[1] + power};
    const double inverse = 1.0 / (sum[0] * sum[1]);
    const double inverses[2] = {sum[1] * inverse, sum[0] * inverse};
    double push[2];
    double bend[2];
    for (int row = 0; row < 2; ++row) {
      push[row] = power * rows.grade_weights[row] * inverses[row];
      bend[row] = push[row] * (rows.power[row] * inverses[row]);
      gradient[row][j % kWide] += push[row];
      hessian[row][j % kWide] += Newton ? bend[row] : 0.0;
    }
    others.gradient[j] += push[0] + push[1];
    others.hessian[j] += Newton ? bend[0] + bend[1] : 0.0;
  }
  for (int row = 0; row < 2; ++row) {
    rows.gradient[row] = sum_lanes<kWide>(gradient[row]);
    rows.hessian[row] = sum_lanes<kWide>(hessian[row]);
  }
}

#if RANKMIX_HAS_AVX2
struct WideRow {
  __m256d power;
  __m256d grade_weights;
  __m256d gradient;
  __m256d hessian;
};

RANKMIX_AVX2 RANKMIX_INLINE WideRow widened(const TwoRows& rows, int row) {
  return {_mm256_set1_pd(rows.power[row]), _mm256_set1_pd(rows.grade_weights[row]),
          _mm256_setzero_pd(), _mm256_setzero_pd()};
}

RANKMIX_AVX2 RANKMIX_INLINE void narrow(const WideRow& wide, TwoRows& rows, int row) {
  double lanes[kWide];
  _mm256_storeu_pd(lanes, wide.gradient);
  rows.gradient[row] = sum_lanes<kWide>(lanes);
  _mm256_storeu_pd(lanes, wide.hessian);
  rows.hessian[row] = sum_lanes<kWide>(lanes);
}

RANKMIX_AVX2 RANKMIX_INLINE void add_to(double* numbers, __m256d x) {
  _mm256_storeu_pd(numbers, _mm256_add_pd(_mm256_loadu_pd(numbers), x));
}

// The second derivatives of four pairs, from their gradients.
RANKMIX_AVX2 RANKMIX_INLINE __m256d bend_of(WideRow& row, __m256d push, __m256d inverse) {
  const __m256d bend = _mm256_mul_pd(push, _mm256_mul_pd(row.power, inverse));
  row.hessian = _mm256_add_pd(row.hessian, bend);
  return bend;
}

RANKMIX_AVX2 RANKMIX_INLINE __m256d push_of(WideRow& row, __m256d power,
                                            __m256d inverse) {
  const __m256d push = _mm256_mul_pd(_mm256_mul_pd(power, row.grade_weights), inverse);
  row.gradient = _mm256_add_pd(row.gradient, push);
  return push;
}

// Written with intrinsics, because compilers keep the sums in memory.
template <bool Newton>
RANKMIX_AVX2 void add_avx2(TwoRows& rows, const Others& others) {
  WideRow first = widened(rows, 0);
  WideRow second = widened(rows, 1);
  for (std::size_t j = 0; j < others.size; j += kWide) {
    const __m256d power = _mm256_loadu_pd(others.power + j);
    const __m256d sum_first = _mm256_add_pd(first.power, power);
    const __m256d sum_second = _mm256_add_pd(second.power, power);
    const __m256d inverse =
        _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_mul_pd(sum_first, sum_second));
    const __m256d of_first = _mm256_mul_pd(sum_second, inverse);
    const __m256d of_second = _mm256_mul_pd(sum_first, inverse);
    const __m256d push_first = push_of(first, power, of_first);
    const __m256d push_second = push_of(second, power, of_second);
    add_to(others.gradient + j, _mm256_add_pd(push_first, push_second));
    if (Newton) {
      const __m256d bend_first = bend_of(first, push_first, of_first);
      const __m256d bend_second = bend_of(second, push_second, of_second);
      add_to(others.hessian + j, _mm256_add_pd(bend_first, bend_second));
    }
  }
  narrow(first, rows, 0);
  narrow(second, rows, 1);
}
#endif

template <bool Newton>
void add_rows(TwoRows& rows, const Others& others) {
#if RANKMIX_HAS_AVX2
  if (has_avx2()) {
    add_avx2<Newton>(rows, others);
    return;
  }
#endif
  add_plain<Newton>(rows, others);
}

}  // namespace

GradeGradients::GradeGradients(const YetiOptions& options) : options_(options) {}

// Sets the position of each document, and the exponentials by position.
void GradeGradients::set_query(const Query& query) {
  const std::size_t grades = options_.grades;
  count_.assign(grades, 0);
  for (int grade : query.grades) {
    ++count_[static_cast<std::size_t>(grade)];
  }
  begin_.assign(grades + 1, 0);
  for (std::size_t g = 0; g < grades; ++g) {
    begin_[g + 1] = begin_[g] + (count_[g] + kWide - 1) / kWide * kWide;
  }
  const double highest = *std::max_element(query.scores.begin(), query.scores.end());
  power_.assign(begin_[grades], 0.0);
  gradient_.assign(begin_[grades], 0.0);
  hessian_.assign(begin_[grades], 0.0);
  position_.resize(query.size());
  next_.assign(begin_.begin(), begin_.end());
  for (std::size_t k = 0; k < query.size(); ++k) {
    position_[k] = next_[static_cast<std::size_t>(query.grades[k])]++;
    power_[position_[k]] = query.scores[k] - highest;
  }
  exp_of_all({power_.data(), power_.size()});
  for (std::size_t g = 0; g < grades; ++g) {
    std::fill(power_.begin() + static_cast<std::ptrdiff_t>(next_[g]),
              power_.begin() + static_cast<std::ptrdiff_t>(begin_[g + 1]), 0.0);
  }
}

// Adds the pairs in which documents of grade `upper` come before documents of grade
// `lower`.
void GradeGradients::add_pairs(std::size_t upper, std::size_t lower) {
  const Others others = {power_.data() + begin_[lower], gradient_.data() + begin_[lower],
                         hessian_.data() + begin_[lower],
                         begin_[lower + 1] - begin_[lower]};
  const double grade_weights = grade_weight(upper, lower);
  const std::size_t end = begin_[upper] + count_[upper];
  for (std::size_t a = begin_[upper]; a < end; a += 2) {
    const std::size_t b = std::min(a + 1, end - 1);
    TwoRows rows = {
        {power_[a], power_[b]}, {grade_weights, b > a ? grade_weights : 0.0}, {}, {}};
    (options_.newton ? add_rows<true> : add_rows<false>)(rows, others);
    gradient_[a] -= rows.gradient[0];
    gradient_[b] -= rows.gradient[1];
    hessian_[a] += rows.hessian[0];
    hessian_[b] += rows.hessian[1];
  }
}

// Sets the hessian to twice the weights of a document's pairs, which depend only on its
// grade. Removes the pair of a document with itself, which exists if its grade has a
// positive weight against itself.
void GradeGradients::set_hessians() {
  const std::size_t grades = options_.grades;
  for (std::size_t g = 0; g < grades; ++g) {
    const double own = 2.0 * grade_weight(g, g);
    double all = 0.0;
    for (std::size_t h = 0; h < grades; ++h) {
      all += (grade_weight(g, h) + grade_weight(h, g)) * static_cast<double>(count_[h]);
    }
    for (std::size_t k = begin_[g]; k < begin_[g] + count_[g]; ++k) {
      hessian_[k] = options_.newton ? hessian_[k] - 0.25 * own : 2.0 * (all - own);
    }
  }
}

void GradeGradients::add_up(const Query& query, const Derivatives& out) {
  set_query(query);
  for (std::size_t upper = 0; upper < options_.grades; ++upper) {
    for (std::size_t lower = 0; lower < options_.grades; ++lower) {
      if (grade_weight(upper, lower) > 0.0) {
        add_pairs(upper, lower);
      }
    }
  }
  set_hessians();
  for (std::size_t k = 0; k < query.size(); ++k) {
    out.gradient[k] = gradient_[position_[k]];
    out.hessian[k] = hessian_[position_[k]];
  }
}

}  // namespace rankmix::objective
