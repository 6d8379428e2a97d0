#include "core/tree/partition.h"

#include <algorithm>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/prefetch.h"

namespace rankmix::tree {
namespace {

// A row takes less time here than where it is added up, so that more are under way.
constexpr std::size_t kAhead = 2 * kPrefetchRows;

}  // namespace

void Partition::reset(View<const std::uint32_t> rows, Host& host) {
  if (!rows.empty()) {
    std::copy(rows.begin(), rows.end(), rows_.begin());
    return;
  }
  for_each_block(host, rows_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   std::iota(rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                             rows_.begin() + static_cast<std::ptrdiff_t>(end),
                             static_cast<std::uint32_t>(begin));
                 });
}

std::size_t Partition::split(std::size_t begin, std::size_t end,
                             const data::BinnedMatrix& bins, std::size_t feature,
                             const std::uint8_t goes_left[256], Host& host) {
  std::size_t middle = 0;
  bins.with_bins_of(feature, [&](const auto& bin_of) {
    middle = split_by(begin, end, bin_of, goes_left, host);
  });
  return middle;
}

template <class BinOf>
std::size_t Partition::split_by(std::size_t begin, std::size_t end, const BinOf& bin_of,
                                const std::uint8_t goes_left[256], Host& host) {
  const std::size_t count = end - begin;
  std::uint32_t* rows = rows_.data() + begin;
  std::uint32_t* scratch = scratch_.data() + begin;
  std::vector<std::size_t> lefts(piece_count(count), 0);
  // Each piece parts its rows within the scratch space: left ones from its front, right
  // ones from its end, backwards. Two writes a row and no branch.
  for_each_piece(host, count, [&](std::size_t piece, std::size_t from, std::size_t to) {
    std::size_t left = from;
    std::size_t right = to - 1;
    for (std::size_t i = from; i < to; ++i) {
      const std::uint32_t row = rows[i];
      bin_of.fetch(rows[std::min(i + kAhead, to - 1)]);
      const std::size_t side = goes_left[bin_of(row)];
      scratch[left] = row;
      scratch[right] = row;
      left += side;
      right -= 1 - side;
    }
    lefts[piece] = left - from;
  });
  std::vector<std::size_t> left_start(lefts.size() + 1, 0);
  std::partial_sum(lefts.begin(), lefts.end(), left_start.begin() + 1);
  const std::size_t all_left = left_start.back();
  for_each_piece(host, count, [&](std::size_t piece, std::size_t from, std::size_t to) {
    const std::size_t right_start = all_left + (from - left_start[piece]);
    std::copy(scratch + from, scratch + from + lefts[piece], rows + left_start[piece]);
    std::reverse_copy(scratch + from + lefts[piece], scratch + to, rows + right_start);
  });
  return begin + all_left;
}

}  // namespace rankmix::tree
