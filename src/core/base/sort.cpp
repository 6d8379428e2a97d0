#include "core/base/sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/simd.h"

namespace rankmix {
namespace {

constexpr std::size_t kShort = 4096;
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = (64 + kDigitBits - 1) / kDigitBits;
constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kDigitBits) - 1;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// Unsigned order of the keys is the order of the numbers: negative numbers have all bits
// flipped, the others the sign.
std::uint64_t key_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

std::size_t digit(std::uint64_t key, std::size_t place) {
  return (key >> (place * kDigitBits)) & kDigitMask;
}

// Numbers of a block, whose places are counted.
constexpr std::size_t kBlock = 16;

RANKMIX_INLINE void place_by_count(std::int64_t* keys) {
  std::int64_t sorted[kBlock];
  std::int64_t below[kBlock] = {};
  for (std::size_t j = 0; j < kBlock; ++j) {
    const std::int64_t key = keys[j];
    for (std::size_t i = 0; i < kBlock; ++i) {
      below[i] += keys[i] > key ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    sorted[below[i]] = keys[i];
  }
  std::copy_n(sorted, kBlock, keys);
}

RANKMIX_INLINE void sort_blocks(std::int64_t* keys, std::size_t blocks) {
  for (std::size_t block = 0; block < blocks; ++block) {
    place_by_count(keys + block * kBlock);
  }
}

RANKMIX_PLAIN void sort_blocks_plain(std::int64_t* keys, std::size_t blocks) {
  sort_blocks(keys, blocks);
}
RANKMIX_AVX2 void sort_blocks_avx2(std::int64_t* keys, std::size_t blocks) {
  sort_blocks(keys, blocks);
}

// Merges two sorted lists that follow each other. What is next is chosen by arithmetic.
void merge_lists(const std::int64_t* from, std::size_t middle, std::size_t size,
                 std::int64_t* to) {
  std::size_t left = 0;
  std::size_t right = middle;
  while (left < middle && right < size) {
    const std::int64_t a = from[left];
    const std::int64_t b = from[right];
    *to++ = std::min(a, b);
    right += static_cast<std::size_t>(b < a);
    left += static_cast<std::size_t>(a < b);
  }
  to = std::copy(from + left, from + middle, to);
  std::copy(from + right, from + size, to);
}

// The same of two that are as long: from both ends at once, one half each, so that
// neither waits for the other, nor comes to an end.
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
    left += static_cast<std::size_t>(a < b);
    right += static_cast<std::size_t>(b < a);
    const std::int64_t c = *last_left;
    const std::int64_t d = *last_right;
    *--last_to = std::max(c, d);
    last_left -= static_cast<std::size_t>(d < c);
    last_right -= static_cast<std::size_t>(c < d);
  }
}

}  // namespace

std::int64_t order_of(double x) {
  x += 0.0;  // of -0 too
  std::int64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

void sort_different(View<std::int64_t> keys, std::int64_t* spare) {
  const std::size_t size = keys.size();
  const std::size_t blocks = size / kBlock;
  (has_avx2() ? sort_blocks_avx2 : sort_blocks_plain)(keys.data(), blocks);
  std::sort(keys.begin() + blocks * kBlock, keys.end());
  std::int64_t* from = keys.data();
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
  if (from != keys.data()) {
    std::copy_n(from, size, keys.data());
  }
}

void sort_doubles(View<double> values, double* spare) {
  const std::size_t size = values.size();
  if (size < kShort) {
    std::sort(values.begin(), values.end());
    return;
  }
  // Keys are made anew for each digit: to keep them would take the memory of another
  // copy.
  double* from = values.data();
  double* to = spare;
  std::vector<std::array<std::size_t, kDigitMask + 1>> counts(kDigits);
  for (double x : values) {
    const std::uint64_t key = key_of(x);
    for (std::size_t place = 0; place < kDigits; ++place) {
      ++counts[place][digit(key, place)];
    }
  }
  for (std::size_t place = 0; place < kDigits; ++place) {
    std::array<std::size_t, kDigitMask + 1>& next = counts[place];
    if (next[digit(key_of(from[0]), place)] == size) {
      continue;
    }
    std::size_t begin = 0;
    for (std::size_t& slot : next) {
      begin += slot;
      slot = begin - slot;
    }
    for (std::size_t i = 0; i < size; ++i) {
      to[next[digit(key_of(from[i]), place)]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != values.data()) {
    std::copy_n(from, size, values.data());
  }
}

void sort_places(std::vector<std::size_t>& places,
                 FunctionRef<bool(std::size_t, std::size_t)> before) {
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return before(a, b); });
}

}  // namespace rankmix
