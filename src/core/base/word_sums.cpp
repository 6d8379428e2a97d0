#include "core/base/word_sums.h"

#include <algorithm>

namespace rankmix {
namespace {

constexpr std::size_t kWordBits = 32;

struct Digits {
  explicit Digits(std::size_t ranks) {
    while ((std::size_t{1} << bits) < ranks) {
      ++bits;
    }
    per_word = kWordBits / (2 * bits);
    mask = (std::uint32_t{1} << (2 * bits)) - 1;
  }
  std::size_t words_of(std::size_t count) const {
    return (count + per_word - 1) / per_word;
  }

  std::size_t bits = 1;
  std::size_t per_word = 0;
  std::uint32_t mask = 0;
};

}  // namespace

template <class Integer>
void split_words(View<Integer> numbers, std::size_t ranks,
                 std::vector<std::uint32_t>& words) {
  const Digits digits(ranks);
  const std::size_t n = numbers.size();
  const std::size_t packed_words = digits.words_of(n);
  words.resize(2 * n + packed_words);
  std::uint32_t* low = words.data();
  std::uint32_t* high = low + n;
  std::uint32_t* packed = high + n;
  std::fill_n(packed, packed_words, 0U);
  std::size_t shift = 0;
  for (std::size_t begin = 0; begin < n; begin += packed_words) {
    const std::size_t end = std::min(n, begin + packed_words);
    for (std::size_t i = begin; i < end; ++i) {
      const auto bits = static_cast<std::uint64_t>(numbers[i]);
      low[i] = static_cast<std::uint32_t>(bits);
      high[i] = static_cast<std::uint32_t>(bits >> kWordBits);
      packed[i - begin] |= (low[i] >> (kWordBits - digits.bits)) << shift;
    }
    shift += 2 * digits.bits;
  }
}

template <class Integer>
void join_words(const std::vector<std::uint32_t>& sums, std::size_t ranks,
                View<Integer> numbers) {
  const Digits digits(ranks);
  const std::size_t n = numbers.size();
  const std::size_t packed_words = digits.words_of(n);
  const std::uint32_t* low = sums.data();
  const std::uint32_t* high = low + n;
  const std::uint32_t* packed = high + n;
  std::size_t shift = 0;
  for (std::size_t begin = 0; begin < n; begin += packed_words) {
    const std::size_t end = std::min(n, begin + packed_words);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t digit = (packed[i - begin] >> shift) & digits.mask;
      const std::uint64_t at_least = digit << (kWordBits - digits.bits);
      const std::uint64_t carry = (at_least + 0xFFFFFFFFU - low[i]) >> kWordBits;
      numbers[i] = static_cast<Integer>(((high[i] + carry) << kWordBits) | low[i]);
    }
    shift += 2 * digits.bits;
  }
}

template void split_words(View<std::uint64_t>, std::size_t, std::vector<std::uint32_t>&);
template void split_words(View<std::int64_t>, std::size_t, std::vector<std::uint32_t>&);
template void join_words(const std::vector<std::uint32_t>&, std::size_t,
                         View<std::uint64_t>);
template void join_words(const std::vector<std::uint32_t>&, std::size_t,
                         View<std::int64_t>);

}  // namespace rankmix
