// Sums of 64-bit integers over ranks, from sums of 32-bit words modulo 2^32.
//
// Problem: MPI adds R's integers, which have 32 bits, and drops the carries.
// Input:   a vector of 64-bit integers on each rank.
// Result:  the sums modulo 2^64.
// Words:   first the low words, then the high words, then the carry digits. The carry digit
//          of a number is the upper t bits of its low word, for 2^t >= ranks. Digits have
//          2 t bits each, so their sum over the ranks fits. Of W words of digits, word w has
//          the digits of the numbers w, W + w, 2 W + w, and so on.
//          For 2 ranks a number takes 66 bits, for 8 ranks 70.4.
// Carry:   l is the sum of the low words, s is l modulo 2^32, and a is the sum of the digits
//          times 2^(32 - t). Each digit loses less than 2^(32 - t), so a <= l < a + 2^32.
//          The only such number is the smallest c 2^32 + s that is at least a. The carry
//          is c.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix {

// Two digits share a word at least, so that t is at most 8, for up to 256 ranks.
constexpr std::size_t kMaxRanksOfWords = 256;

template <class Integer>
void split_words(View<Integer> numbers, std::size_t ranks,
                 std::vector<std::uint32_t>& words);
template <class Integer>
void join_words(const std::vector<std::uint32_t>& sums, std::size_t ranks,
                View<Integer> numbers);

}  // namespace rankmix
