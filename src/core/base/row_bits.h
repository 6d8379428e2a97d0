// One bit for each row, in words of 64 bits. A block of rows fills whole words, so
// threads that write to different blocks never write to the same word. Bits after the
// last row are 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/blocks.h"

namespace rankmix {

constexpr std::size_t kWordRows = 64;
static_assert(kRowBlock % kWordRows == 0, "blocks would share words");

inline std::size_t bit_count(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::size_t>((word * 0x0101010101010101U) >> 56);
}

// Calls use(position) for each bit that is set, from the lowest to the highest.
template <class Use>
void for_each_bit(std::uint64_t word, const Use& use) {
  while (word != 0) {
    // lowest - 1 has as many set bits as the position of the lowest set bit.
    const std::uint64_t lowest = word & (0U - word);
    use(bit_count(lowest - 1));
    word ^= lowest;
  }
}

class RowBits {
 public:
  // Sets the number of rows and clears all bits.
  void reset(std::size_t rows) {
    rows_ = rows;
    words_.assign((rows + kWordRows - 1) / kWordRows, 0);
  }
  std::size_t rows() const { return rows_; }
  std::size_t words() const { return words_.size(); }
  std::uint64_t word(std::size_t w) const { return words_[w]; }
  std::uint64_t& word(std::size_t w) { return words_[w]; }
  // A mask of the bits of word w that belong to rows.
  std::uint64_t present(std::size_t w) const {
    const std::size_t over = (w + 1) * kWordRows;
    return over <= rows_ ? ~std::uint64_t{0} : ~std::uint64_t{0} >> (over - rows_);
  }
  std::uint32_t operator[](std::size_t row) const {
    return static_cast<std::uint32_t>(words_[row / kWordRows] >> (row % kWordRows)) & 1U;
  }

 private:
  std::size_t rows_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace rankmix
