#include "core/tree/byte_columns.h"

#if RANKMIX_HAS_AVX2
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rankmix::tree {
namespace {

// A value is compared with 16 keys at a time: first with every 16th threshold, then with
// the thresholds between two of these. A column of fewer than 16 thresholds needs only
// the second step.
constexpr std::size_t kLook = 16;
constexpr std::size_t kMaxThresholds = kLook * kLook - 1;
constexpr double kNoKey = std::numeric_limits<double>::infinity();  // below no value

inline std::int8_t signed_byte(std::size_t byte) {
  return static_cast<std::int8_t>(static_cast<int>(byte) - 128);
}

// A mask of four bytes for each of eight keys, set where x is above the key.
RANKMIX_AVX2 RANKMIX_INLINE __m256i above_8(const double* keys, __m256d x) {
  const __m256d low = _mm256_cmp_pd(x, _mm256_load_pd(keys), _CMP_GT_OQ);
  const __m256d high = _mm256_cmp_pd(x, _mm256_load_pd(keys + 4), _CMP_GT_OQ);
  return _mm256_packs_epi32(_mm256_castpd_si256(low), _mm256_castpd_si256(high));
}

// The number of keys, of 16, that are below x.
RANKMIX_AVX2 RANKMIX_INLINE std::size_t count_below(const double* keys, __m256d x) {
  const __m256i above = _mm256_packs_epi16(above_8(keys, x), above_8(keys + 8, x));
  const auto bits = static_cast<unsigned>(_mm256_movemask_epi8(above));
  return static_cast<std::size_t>(__builtin_popcount(bits)) / 2;
}

RANKMIX_AVX2 void find_once(const double* keys, const double* values, std::size_t count,
                            std::int8_t* bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = signed_byte(count_below(keys, _mm256_broadcast_sd(values + i)));
  }
}

RANKMIX_AVX2 void find_twice(const double* keys, const double* values, std::size_t count,
                             std::int8_t* bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    const __m256d x = _mm256_broadcast_sd(values + i);
    const std::size_t first = kLook * count_below(keys, x);
    bytes[i] = signed_byte(first + count_below(keys + kLook + first, x));
  }
}

RANKMIX_AVX2 bool any_missing(const double* values, std::size_t count) {
  __m256d missing = _mm256_setzero_pd();
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256d x = _mm256_loadu_pd(values + i);
    missing = _mm256_or_pd(missing, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
  }
  return _mm256_movemask_pd(missing) != 0 ||
         std::any_of(values + i, values + count, [](double x) { return std::isnan(x); });
}

}  // namespace

bool ByteColumns::can_answer(const ForestView& forest) {
  return std::none_of(forest.threshold.begin(), forest.threshold.end(),
                      [](double threshold) { return std::isnan(threshold); });
}

ByteColumns::ByteColumns(const ForestView& forest, std::size_t features, Host& host) {
  questions_.slot_of.resize(forest.feature.size());
  questions_.limit_of.resize(forest.feature.size());
  std::vector<std::size_t> begin(features + 1, 0);  // first test of each feature
  for (int feature : forest.feature) {
    ++begin[static_cast<std::size_t>(feature) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Question> questions(forest.feature.size());
  std::vector<std::size_t> next(begin);
  for (std::size_t n = 0; n < questions.size(); ++n) {
    questions[next[static_cast<std::size_t>(forest.feature[n])]++] = {forest.threshold[n],
                                                                      n};
  }
  for (std::size_t f = 0; f < features; ++f) {
    const std::size_t count = begin[f + 1] - begin[f];
    if (count == 0) {
      continue;
    }
    host.checkpoint();
    Question* first = questions.data() + begin[f];
    std::sort(first, first + count, [](const Question& a, const Question& b) {
      return a.threshold < b.threshold;
    });
    add_feature(f, {first, count}, forest);
  }
  questions_.slots = 2 * columns_.size();
}

// `questions` is not empty and is sorted by threshold.
void ByteColumns::add_feature(std::size_t feature, View<const Question> questions,
                              const ForestView& forest) {
  std::vector<double> thresholds;
  bool missing_right = false;
  for (const Question& question : questions) {
    if (thresholds.empty() || thresholds.back() != question.threshold) {
      if (thresholds.size() == kMaxThresholds) {
        add_column(feature, thresholds, missing_right);
        thresholds.clear();
        missing_right = false;
      }
      thresholds.push_back(question.threshold);
    }
    const bool right = forest.missing_left[question.node] == 0;
    missing_right = missing_right || right;
    questions_.slot_of[question.node] =
        static_cast<std::uint32_t>(2 * columns_.size() + (right ? 1 : 0));
    questions_.limit_of[question.node] = signed_byte(thresholds.size());
  }
  add_column(feature, thresholds, missing_right);
}

void ByteColumns::add_column(std::size_t feature, const std::vector<double>& thresholds,
                             bool missing_right) {
  Column column{feature, keys_.size(), thresholds.size(), missing_right, 0};
  if (thresholds.size() >= kLook) {
    for (std::size_t j = 0; j < kLook; ++j) {
      const std::size_t last = kLook * j + kLook - 1;
      keys_.push_back(last < thresholds.size() ? thresholds[last] : kNoKey);
    }
  }
  keys_.insert(keys_.end(), thresholds.begin(), thresholds.end());
  keys_.resize(keys_.size() + kLook - thresholds.size() % kLook, kNoKey);
  const double zero = 0.0;
  find_bytes(column, &zero, 1, &column.byte_of_0);
  columns_.push_back(column);
}

// A missing value gets the byte of a value below all thresholds, as NaN compares false.
void ByteColumns::find_bytes(const Column& column, const double* values,
                             std::size_t count, std::int8_t* bytes) const {
  const auto find = column.thresholds < kLook ? find_once : find_twice;
  find(keys_.data() + column.first, values, count, bytes);
}

// Makes slot 2 c + 1 of slice s from slot 2 c, in which missing values go left. values[i]
// belongs to row row_of(i) of the slice.
template <class RowOf>
void ByteColumns::place_missing(std::size_t c, const double* values, std::size_t count,
                                const RowOf& row_of, std::size_t s,
                                ByteBlock& block) const {
  block.read(s, 2 * c, 2 * c);
  block.read(s, 2 * c + 1, 2 * c);
  if (!columns_[c].missing_right || !any_missing(values, count)) {
    return;
  }
  const std::int8_t* left = block.bytes(s, 2 * c);
  std::int8_t* right = block.bytes(s, 2 * c + 1);
  std::copy(left, left + kSliceRows, right);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) {
      right[row_of(i)] = kAboveLimits;
    }
  }
  block.read(s, 2 * c + 1, 2 * c + 1);
}

void ByteColumns::fill(MatrixView<const double> x, std::size_t begin, std::size_t end,
                       ByteBlock& block) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double* values = x.col(columns_[c].feature);
    for (std::size_t first = begin, s = 0; first < end; first += kSliceRows, ++s) {
      const std::size_t rows = std::min(kSliceRows, end - first);
      find_bytes(columns_[c], values + first, rows, block.bytes(s, 2 * c));
      place_missing(
          c, values + first, rows, [](std::size_t i) { return i; }, s, block);
    }
  }
}

void ByteColumns::fill(const SparseView& x, std::size_t begin, std::size_t end,
                       ByteBlock& block) const {
  std::int8_t found[kSliceRows];
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const View<const int> rows = x.row_of(columns_[c].feature);
    const double* values = x.values(columns_[c].feature).data();
    const int* at = std::lower_bound(rows.begin(), rows.end(), static_cast<int>(begin));
    for (std::size_t first = begin, s = 0; first < end; first += kSliceRows, ++s) {
      const auto stop_row = static_cast<int>(std::min(first + kSliceRows, end));
      const int* stop =
          std::find_if(at, rows.end(), [&](int row) { return row >= stop_row; });
      const auto count = static_cast<std::size_t>(stop - at);
      const double* entries = values + (at - rows.begin());
      auto row_of = [&](std::size_t i) {
        return static_cast<std::size_t>(at[i]) - first;
      };
      std::int8_t* bytes = block.bytes(s, 2 * c);
      std::fill(bytes, bytes + kSliceRows, columns_[c].byte_of_0);
      find_bytes(columns_[c], entries, count, found);
      for (std::size_t i = 0; i < count; ++i) {
        bytes[row_of(i)] = found[i];
      }
      place_missing(c, entries, count, row_of, s, block);
      at = stop;
    }
  }
}

}  // namespace rankmix::tree
#endif
