#include "core/base/sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

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

}  // namespace

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
