#include "core/base/sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/simd.h"
#if RANKMIX_HAS_AVX2
#include <immintrin.h>
#endif

namespace rankmix {
namespace {

constexpr std::size_t kShort = 4096;
// Pads lists of keys. It sorts after all keys, and both merges accept equal pads.
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = (64 + kDigitBits - 1) / kDigitBits;
constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kDigitBits) - 1;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// Maps doubles to unsigned keys of the same order. Negative numbers have all bits
// flipped, other numbers the sign bit.
std::uint64_t key_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

std::size_t digit(std::uint64_t key, std::size_t position) {
  return (key >> (position * kDigitBits)) & kDigitMask;
}

// Block size of sort_different(). A block is sorted by counting the rank of each key.
constexpr std::size_t kBlock = 16;

RANKMIX_INLINE void rank_by_count(std::int64_t* keys) {
  std::int64_t sorted[kBlock];
  std::int64_t below[kBlock] = {};
  for (std::size_t j = 0; j < kBlock; ++j) {
    const std::int64_t key = keys[j];
    for (std::size_t i = 0; i < kBlock; ++i) {
      below[i] += keys[i] > key ? 1 : 0;
    }
  }
  // All pads have the same rank, so only one of them is written. The positions of the
  // other pads keep this value.
  std::fill_n(sorted, kBlock, kLast);
  for (std::size_t i = 0; i < kBlock; ++i) {
    sorted[below[i]] = keys[i];
  }
  std::copy_n(sorted, kBlock, keys);
}

RANKMIX_INLINE void sort_blocks(std::int64_t* keys, std::size_t blocks) {
  for (std::size_t block = 0; block < blocks; ++block) {
    rank_by_count(keys + block * kBlock);
  }
}

void sort_blocks_plain(std::int64_t* keys, std::size_t blocks) {
  sort_blocks(keys, blocks);
}
RANKMIX_AVX2 void sort_blocks_avx2(std::int64_t* keys, std::size_t blocks) {
  sort_blocks(keys, blocks);
}

// Merges two sorted lists, from[0 .. middle) and from[middle .. size), without a branch
// on the keys.
void merge_lists(const std::int64_t* from, std::size_t middle, std::size_t size,
                 std::int64_t* to) {
  std::size_t left = 0;
  std::size_t right = middle;
  while (left < middle && right < size) {
    const std::int64_t a = from[left];
    const std::int64_t b = from[right];
    *to++ = std::min(a, b);
    right += static_cast<std::size_t>(b < a);
    left += static_cast<std::size_t>(!(b < a));
  }
  to = std::copy(from + left, from + middle, to);
  std::copy(from + right, from + size, to);
}

// Merges two sorted lists of equal length. Each step writes the smallest and the largest
// remaining key. The two ends are independent, so the processor works on both at once,
// and no list ends early.
void merge_halves(const std::int64_t* from, std::size_t half, std::int64_t* to) {
  const std::int64_t* left = from;
  const std::int64_t* right = from + half;
  const std::int64_t* last_left = right - 1;
  const std::int64_t* last_right = last_left + half;
  std::int64_t* last_to = to + 2 * half;
  for (std::size_t k = 0; k < half; ++k) {
    const std::int64_t a = *left;
    const std::int64_t b = *right;
    *to++ = std::min(a, b);
    left += static_cast<std::size_t>(!(b < a));
    right += static_cast<std::size_t>(b < a);
    const std::int64_t c = *last_left;
    const std::int64_t d = *last_right;
    *--last_to = std::max(c, d);
    last_left -= static_cast<std::size_t>(d < c);
    last_right -= static_cast<std::size_t>(!(d < c));
  }
}

}  // namespace

std::int64_t order_of(double x) {
  x += 0.0;  // turns -0 into 0
  std::int64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

namespace {

// The padded size of a list: the next power of 2 if that is at most kMaxFilled and adds
// at most a third, else `size`. With a power of 2, all merges are of equal lengths.
constexpr std::size_t kMaxFilled = 512;
std::size_t filled_size(std::size_t size) {
  std::size_t full = kBlock;
  while (full < size) {
    full *= 2;
  }
  return full <= kMaxFilled && full - size <= size / 3 ? full : size;
}

// Sorts with two buffers of `size` keys. Returns the buffer that holds the sorted keys.
std::int64_t* sort_and_merge(std::int64_t* keys, std::size_t size, std::int64_t* spare) {
  const std::size_t blocks = size / kBlock;
  (has_avx2() ? sort_blocks_avx2 : sort_blocks_plain)(keys, blocks);
  const std::size_t rest = size - blocks * kBlock;
  if (rest > 0) {
    std::int64_t block[kBlock];
    std::fill_n(std::copy_n(keys + blocks * kBlock, rest, block), kBlock - rest, kLast);
    (has_avx2() ? sort_blocks_avx2 : sort_blocks_plain)(block, 1);
    std::copy_n(block, rest, keys + blocks * kBlock);
  }
  std::int64_t* from = keys;
  std::int64_t* to = spare;
  for (std::size_t width = kBlock; width < size; width *= 2) {
    for (std::size_t begin = 0; begin < size; begin += 2 * width) {
      const std::size_t both = std::min(2 * width, size - begin);
      if (both == 2 * width) {
        merge_halves(from + begin, width, to + begin);
      } else {
        merge_lists(from + begin, std::min(width, both), both, to + begin);
      }
    }
    std::swap(from, to);
  }
  return from;
}

}  // namespace

void sort_different(View<std::int64_t> keys, std::int64_t* spare) {
  const std::size_t size = keys.size();
  const std::size_t filled = filled_size(size);
  const std::int64_t* sorted = nullptr;
  std::int64_t full[kMaxFilled];
  std::int64_t other[kMaxFilled];
  if (filled == size) {
    sorted = sort_and_merge(keys.data(), size, spare);
  } else {
    std::fill(std::copy(keys.begin(), keys.end(), full), full + filled, kLast);
    sorted = sort_and_merge(full, filled, other);
  }
  if (sorted != keys.data()) {
    std::copy_n(sorted, size, keys.data());
  }
}

namespace {

void count_plain(const std::int32_t* keys, std::size_t size, std::uint32_t* ranks) {
  for (std::size_t i = 0; i < size; ++i) {
    ranks[i] = 0;
    for (std::size_t j = 0; j < size; ++j) {
      ranks[i] += keys[j] > keys[i] ? 1U : 0U;
    }
  }
}

#if RANKMIX_HAS_AVX2
// Compares four keys at a time with all keys. Each lane of `sums` counts for one of the
// four.
RANKMIX_AVX2 void count_avx2(const std::int32_t* keys, std::size_t size,
                             std::uint32_t* ranks) {
  for (std::size_t i = 0; i < size; i += 4) {
    const __m256i own[4] = {_mm256_set1_epi32(keys[i]), _mm256_set1_epi32(keys[i + 1]),
                            _mm256_set1_epi32(keys[i + 2]),
                            _mm256_set1_epi32(keys[i + 3])};
    __m256i a = _mm256_setzero_si256();
    __m256i b = a;
    __m256i c = a;
    __m256i d = a;
    for (std::size_t j = 0; j < size; j += kCountedAtOnce) {
      const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + j));
      a = _mm256_sub_epi32(a, _mm256_cmpgt_epi32(some, own[0]));
      b = _mm256_sub_epi32(b, _mm256_cmpgt_epi32(some, own[1]));
      c = _mm256_sub_epi32(c, _mm256_cmpgt_epi32(some, own[2]));
      d = _mm256_sub_epi32(d, _mm256_cmpgt_epi32(some, own[3]));
    }
    const __m256i halves =
        _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    const __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(halves),
                                       _mm256_extracti128_si256(halves, 1));
    std::uint32_t four[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(four), sums);
    for (std::size_t k = 0; k < 4 && i + k < size; ++k) {
      ranks[i + k] = four[k];
    }
  }
}
#endif

}  // namespace

bool ranks_by_count(View<std::int32_t> keys, std::uint32_t* ranks) {
  const std::size_t size = keys.size();
  // The pads are the smallest integer, so no pad is larger than a key.
  std::fill_n(keys.data() + size, kCountedAtOnce,
              std::numeric_limits<std::int32_t>::min());
#if RANKMIX_HAS_AVX2
  (has_avx2() ? count_avx2 : count_plain)(keys.data(), size, ranks);
#else
  count_plain(keys.data(), size, ranks);
#endif
  // If all keys differ, each pair was counted exactly once.
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < size; ++i) {
    pairs += ranks[i];
  }
  return 2 * pairs == size * (size - 1);
}

void sort_doubles(View<double> values, double* spare) {
  const std::size_t size = values.size();
  if (size < kShort) {
    std::sort(values.begin(), values.end());
    return;
  }
  // Keys are computed again for each digit. Storing them would take as much memory as
  // another copy of the values.
  double* from = values.data();
  double* to = spare;
  std::vector<std::array<std::size_t, kDigitMask + 1>> counts(kDigits);
  for (double x : values) {
    const std::uint64_t key = key_of(x);
    for (std::size_t position = 0; position < kDigits; ++position) {
      ++counts[position][digit(key, position)];
    }
  }
  for (std::size_t position = 0; position < kDigits; ++position) {
    std::array<std::size_t, kDigitMask + 1>& next = counts[position];
    if (next[digit(key_of(from[0]), position)] == size) {
      continue;
    }
    std::size_t begin = 0;
    for (std::size_t& slot : next) {
      begin += slot;
      slot = begin - slot;
    }
    for (std::size_t i = 0; i < size; ++i) {
      to[next[digit(key_of(from[i]), position)]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != values.data()) {
    std::copy_n(from, size, values.data());
  }
}

void sort_indices(std::vector<std::size_t>& indices,
                  FunctionRef<bool(std::size_t, std::size_t)> before) {
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::size_t a, std::size_t b) { return before(a, b); });
}

}  // namespace rankmix
