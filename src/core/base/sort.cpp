#include "core/base/sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

double value_of(std::uint64_t key) {
  const std::uint64_t bits = (key & kSignBit) != 0 ? key & ~kSignBit : ~key;
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

std::size_t digit(std::uint64_t key, std::size_t place) {
  return (key >> (place * kDigitBits)) & kDigitMask;
}

}  // namespace

void sort_doubles(std::vector<double>& values) {
  if (values.size() < kShort) {
    std::sort(values.begin(), values.end());
    return;
  }
  std::vector<std::uint64_t> from(values.size());
  std::vector<std::uint64_t> to(values.size());
  std::vector<std::array<std::size_t, kDigitMask + 1>> counts(kDigits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    from[i] = key_of(values[i]);
    for (std::size_t place = 0; place < kDigits; ++place) {
      ++counts[place][digit(from[i], place)];
    }
  }
  for (std::size_t place = 0; place < kDigits; ++place) {
    std::array<std::size_t, kDigitMask + 1>& next = counts[place];
    if (next[digit(from[0], place)] == from.size()) {
      continue;
    }
    std::size_t begin = 0;
    for (std::size_t& slot : next) {
      begin += slot;
      slot = begin - slot;
    }
    for (std::uint64_t key : from) {
      to[next[digit(key, place)]++] = key;
    }
    from.swap(to);
  }
  std::transform(from.begin(), from.end(), values.begin(), value_of);
}

}  // namespace rankmix
