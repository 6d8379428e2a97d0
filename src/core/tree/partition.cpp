#include "core/tree/partition.h"

#include <algorithm>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/prefetch.h"

namespace rankmix::tree {
namespace {

// Prefetch distance. Moving a row takes far less time than fetching its bin.
constexpr std::size_t kAhead = 4 * kPrefetchRows;

}  // namespace

void Partition::reset(View<const std::uint32_t> rows) {
  rows_.resize(scratch_.size());
  lists_root_ = !rows.empty();
  std::copy(rows.begin(), rows.end(), rows_.begin());
}

std::size_t Partition::split(std::size_t begin, std::size_t end,
                             const data::BinnedMatrix& bins, std::size_t feature,
                             const std::uint8_t goes_left[256], Host& host) {
  std::size_t middle = 0;
  bins.with_bins_of(feature, [&](const auto& bin_of) {
    if (lists_root_) {
      const auto row_of = [rows = rows_.data() + begin](std::size_t i) {
        return rows[i];
      };
      middle = split_by(begin, end, bin_of, row_of, goes_left, host);
    } else {
      const auto row_of = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
      middle = split_by(begin, end, bin_of, row_of, goes_left, host);
    }
  });
  lists_root_ = true;
  return middle;
}

bool Partition::any_missing(std::size_t begin, std::size_t end,
                            const data::BinnedMatrix& bins, std::size_t feature) const {
  if (!bins.feature(feature).has_missing) {
    return false;
  }
  const int missing = bins.feature(feature).missing_bin();
  const View<const std::uint32_t> listed = rows(begin, end);
  bool found = false;
  bins.with_bins_of(feature, [&](const auto& bin_of) {
    found = std::any_of(listed.begin(), listed.end(),
                        [&](std::uint32_t row) { return bin_of(row) == missing; });
  });
  return found;
}

template <class BinOf, class RowOf>
std::size_t Partition::split_by(std::size_t begin, std::size_t end, const BinOf& bin_of,
                                const RowOf& row_of, const std::uint8_t goes_left[256],
                                Host& host) {
  const std::size_t count = end - begin;
  std::uint32_t* rows = rows_.data() + begin;
  std::uint32_t* scratch = scratch_.data() + begin;
  std::vector<std::size_t> lefts(piece_count(count), 0);
  // Each piece splits its rows within the scratch buffer: left rows are written forward
  // from the front, right rows backward from the end. This takes two writes per row and
  // no branch.
  for_each_piece(host, count, [&](std::size_t piece, std::size_t from, std::size_t to) {
    std::size_t left = from;
    std::size_t right = to - 1;
    for (std::size_t i = from; i < to; ++i) {
      const std::uint32_t row = row_of(i);
      bin_of.fetch(row_of(std::min(i + kAhead, count - 1)));
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
