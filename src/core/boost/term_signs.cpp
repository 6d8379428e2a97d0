#include "core/boost/term_signs.h"

#include <algorithm>
#include <numeric>

#include "core/base/blocks.h"

namespace rankmix::boost {
namespace {

constexpr std::size_t kBlockWords = kRowBlock / kWordRows;

// All bits set for 1, none for 0.
std::int8_t mask_of(std::uint64_t bit) {
  return static_cast<std::int8_t>(-static_cast<int>(bit));
}

}  // namespace

void TermSigns::reset(std::size_t rows, std::size_t terms, std::size_t sums) {
  right_in_all_.reset(rows);
  right_.resize(terms);
  signs_.resize(sums);
  for (RowBits& right : right_) {
    right.reset(rows);
  }
  for (RowBits& signs : signs_) {
    signs.reset(rows);
  }
}

void TermSigns::set_sides(std::size_t j, const LeafIds& sides, Host& host) {
  for_each_block(host, rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; i += kWordRows) {
                     const std::size_t w = i / kWordRows;
                     const std::size_t stop = std::min(end, i + kWordRows);
                     std::uint64_t bits = 0;
                     for (std::size_t at = stop; at > i; --at) {
                       bits = bits << 1 | sides[at - 1];
                     }
                     right_in_all_.word(w) ^= right_[j].word(w) ^ bits;
                     right_[j].word(w) = bits;
                   }
                 });
}

NearestSums TermSigns::nearest(std::size_t j, std::size_t positions, Host& host) const {
  std::vector<double> differing(positions + 1, 0.0);
  for (std::size_t k = 0; k < positions; ++k) {
    std::size_t differ = 0;
    for (std::size_t w = 0; w < right_in_all_.words(); ++w) {
      differ += bit_count(needed(j, w) ^ signs_[k].word(w));
    }
    differing[k] = static_cast<double>(differ);
  }
  differing[positions] = static_cast<double>(rows());
  host.reducer().add(View<double>(differing.data(), differing.size()));
  const double all = differing[positions];
  NearestSums best{0, 0, all + 1.0};
  for (std::size_t k = 0; k < positions; ++k) {
    const double fewer = std::min(differing[k], all - differing[k]);
    if (fewer < best.rows) {
      best = {k, differing[k] == fewer ? 0U : ~0U, fewer};
    }
  }
  return best;
}

void TermSigns::list_rest(const NearestSums& from, std::size_t j, std::size_t to,
                          View<const std::uint32_t> rows, Host& host, TurnedRows& rest) {
  const RowBits& known = signs_[from.position];
  auto differing = [&](std::size_t w) {
    const std::uint64_t differ = needed(j, w) ^ known.word(w);
    return from.negated == 0 ? differ : ~differ & known.present(w);
  };
  std::vector<std::size_t> first(block_count(known.rows()) + 1, 0);
  for (std::size_t w = 0; w < known.words(); ++w) {
    first[w / kBlockWords + 1] += bit_count(differing(w));
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  rest.rows.resize(first.back());
  rest.negated.resize(first.back());
  for_each_block(host, known.rows(), RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   std::size_t next = first[block];
                   for (std::size_t i = begin; i < end; i += kWordRows) {
                     const std::uint64_t need = needed(j, i / kWordRows);
                     for_each_bit(differing(i / kWordRows), [&](std::size_t bit) {
                       const std::size_t at = i + bit;
                       rest.rows[next] =
                           rows.empty() ? static_cast<std::uint32_t>(at) : rows[at];
                       rest.negated[next++] = mask_of(need >> bit & 1U);
                     });
                   }
                 });
  for (std::size_t w = 0; w < known.words(); ++w) {
    signs_[to].word(w) = needed(j, w);
  }
}

void TermSigns::turn_all(std::size_t j, Host& host,
                         std::vector<std::int8_t>& negated) const {
  negated.resize(rows());
  for_each_block(host, rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     negated[i] = mask_of(parity_without(j, i));
                   }
                 });
}

}  // namespace rankmix::boost
