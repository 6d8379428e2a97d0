#include "core/tree/ranked_rows.h"

#if RANKMIX_HAS_AVX2
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankmix::tree {
namespace {

// A threshold is looked up among the sorted values of a column in two steps: first among
// every eighth value, then among the eight values that follow. The keys of a column are
// the values of the first step, all sorted values, and eight NaN, which compare as above
// every threshold.
constexpr std::size_t kStep = 8;
constexpr std::size_t kSteps = kSliceRows / kStep;
constexpr std::size_t kKeys = kSteps + kSliceRows + kStep;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();  // below none
// The smallest rank is one above the byte that is below all limits.
constexpr int kFirstByte = kBelowLimits + 1;

// ranks[i] = #{j : values[j] < values[i]}, for 16 values at a time. Values beyond `rows`
// are NaN.
RANKMIX_AVX2 void count_smaller(const double* values, std::size_t rows,
                                std::int64_t* ranks) {
  for (std::size_t first = 0; first < rows; first += 16) {
    const __m256d x0 = _mm256_load_pd(values + first);
    const __m256d x1 = _mm256_load_pd(values + first + 4);
    const __m256d x2 = _mm256_load_pd(values + first + 8);
    const __m256d x3 = _mm256_load_pd(values + first + 12);
    __m256i count0 = _mm256_setzero_si256();
    __m256i count1 = count0;
    __m256i count2 = count0;
    __m256i count3 = count0;
    for (std::size_t i = 0; i < rows; ++i) {
      const __m256d other = _mm256_broadcast_sd(values + i);
      const __m256d below0 = _mm256_cmp_pd(other, x0, _CMP_LT_OQ);
      const __m256d below1 = _mm256_cmp_pd(other, x1, _CMP_LT_OQ);
      const __m256d below2 = _mm256_cmp_pd(other, x2, _CMP_LT_OQ);
      const __m256d below3 = _mm256_cmp_pd(other, x3, _CMP_LT_OQ);
      count0 = _mm256_sub_epi64(count0, _mm256_castpd_si256(below0));
      count1 = _mm256_sub_epi64(count1, _mm256_castpd_si256(below1));
      count2 = _mm256_sub_epi64(count2, _mm256_castpd_si256(below2));
      count3 = _mm256_sub_epi64(count3, _mm256_castpd_si256(below3));
    }
    auto* to = reinterpret_cast<__m256i*>(ranks + first);
    _mm256_store_si256(to, count0);
    _mm256_store_si256(to + 1, count1);
    _mm256_store_si256(to + 2, count2);
    _mm256_store_si256(to + 3, count3);
  }
}

// A mask of four bytes for each of eight keys, set where the key is at or below the
// threshold.
RANKMIX_AVX2 RANKMIX_INLINE __m256i not_above_8(const double* keys, __m256d threshold) {
  const __m256d low = _mm256_cmp_pd(_mm256_load_pd(keys), threshold, _CMP_LE_OQ);
  const __m256d high = _mm256_cmp_pd(_mm256_load_pd(keys + 4), threshold, _CMP_LE_OQ);
  return _mm256_packs_epi32(_mm256_castpd_si256(low), _mm256_castpd_si256(high));
}

RANKMIX_AVX2 RANKMIX_INLINE std::size_t count_bytes(__m256i mask) {
  const auto bits = static_cast<unsigned>(_mm256_movemask_epi8(mask));
  return static_cast<std::size_t>(__builtin_popcount(bits));
}

RANKMIX_AVX2 void find_limits(View<const double> thresholds, View<const int> features,
                              const std::uint32_t* position_of, const double* all_keys,
                              std::int8_t* limits) {
  for (std::size_t n = 0; n < thresholds.size(); ++n) {
    const double* keys = all_keys + position_of[features[n]] * kKeys;
    const __m256d threshold = _mm256_broadcast_sd(thresholds.data() + n);
    const std::size_t steps =
        count_bytes(_mm256_packs_epi16(not_above_8(keys, threshold),
                                       not_above_8(keys + kStep, threshold))) /
        2;
    const double* sorted = keys + kSteps + steps * kStep;
    const std::size_t rest = count_bytes(not_above_8(sorted, threshold)) / 4;
    limits[n] =
        static_cast<std::int8_t>(kFirstByte + static_cast<int>(steps * kStep + rest));
  }
}

}  // namespace

RankedRows::RankedRows(View<const ForestView> forests, std::size_t features)
    : position_of_(features, 0), block_(0, 0) {
  for (const ForestView& forest : forests) {
    for (int feature : forest.feature) {
      position_of_[static_cast<std::size_t>(feature)] = 1;
    }
  }
  for (std::size_t f = 0; f < features; ++f) {
    if (position_of_[f] == 1) {
      position_of_[f] = static_cast<std::uint32_t>(columns_.size());
      columns_.push_back(f);
    }
  }
  keys_.resize(columns_.size() * kKeys);
  block_ = ByteBlock(1, 2 * columns_.size());
}

RankedRows::RankedRows(View<const ForestView> forests, MatrixView<const double> x,
                       std::size_t begin, std::size_t end)
    : RankedRows(forests, x.cols()) {
  alignas(kCacheLine) double values[kSliceRows];
  std::fill(values, values + kSliceRows, kMissing);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double* column = x.col(columns_[c]);
    std::copy(column + begin, column + end, values);
    rank(c, values, end - begin);
  }
}

RankedRows::RankedRows(View<const ForestView> forests, const SparseView& x,
                       std::size_t begin, std::size_t end)
    : RankedRows(forests, x.cols()) {
  alignas(kCacheLine) double values[kSliceRows];
  std::fill(values, values + kSliceRows, kMissing);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const View<const int> rows = x.row_of(columns_[c]);
    const double* entries = x.values(columns_[c]).data();
    std::fill(values, values + (end - begin), 0.0);
    const int* at = std::lower_bound(rows.begin(), rows.end(), static_cast<int>(begin));
    for (; at != rows.end() && *at < static_cast<int>(end); ++at) {
      values[static_cast<std::size_t>(*at) - begin] = entries[at - rows.begin()];
    }
    rank(c, values, end - begin);
  }
}

// Computes the bytes and keys of column c. Values beyond `rows` are NaN.
void RankedRows::rank(std::size_t c, const double* values, std::size_t rows) {
  alignas(kCacheLine) std::int64_t ranks[kSliceRows];
  count_smaller(values, rows, ranks);
  std::int8_t* left = block_.bytes(0, 2 * c);
  double* keys = keys_.data() + c * kKeys;
  double* sorted = keys + kSteps;
  std::fill(sorted, keys + kKeys, kMissing);
  std::size_t known = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool missing = std::isnan(values[i]);
    known += missing ? 0 : 1;
    sorted[missing ? kSliceRows : static_cast<std::size_t>(ranks[i])] = values[i];
    left[i] = static_cast<std::int8_t>(missing ? kBelowLimits : kFirstByte + ranks[i]);
  }
  // Equal values have the same rank and fill one entry. The entries after it get copies.
  for (std::size_t j = 1; j < known; ++j) {
    sorted[j] = std::isnan(sorted[j]) ? sorted[j - 1] : sorted[j];
  }
  for (std::size_t step = 0; step < kSteps; ++step) {
    keys[step] = sorted[step * kStep + kStep - 1];
  }
  block_.read(0, 2 * c, 2 * c);
  block_.read(0, 2 * c + 1, 2 * c);
  if (known < rows) {
    std::int8_t* right = block_.bytes(0, 2 * c + 1);
    for (std::size_t i = 0; i < rows; ++i) {
      right[i] = left[i] == kBelowLimits ? kAboveLimits : left[i];
    }
    block_.read(0, 2 * c + 1, 2 * c + 1);
  }
}

ByteQuestions RankedRows::questions(const ForestView& forest) const {
  const std::size_t nodes = forest.feature.size();
  ByteQuestions asked;
  asked.slots = 2 * columns_.size();
  asked.limit_of.resize(nodes);
  asked.slot_of.resize(nodes);
  find_limits(forest.threshold, forest.feature, position_of_.data(), keys_.data(),
              asked.limit_of.data());
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::uint32_t position =
        position_of_[static_cast<std::size_t>(forest.feature[n])];
    asked.slot_of[n] = 2 * position + (forest.missing_left[n] == 0 ? 1 : 0);
  }
  return asked;
}

}  // namespace rankmix::tree
#endif
