#include "core/tree/roots.h"

#include <algorithm>
#include <variant>

#include "core/base/blocks.h"
#include "core/tree/rank_sums.h"

namespace rankmix::tree {
namespace {

constexpr std::size_t kLanes = 4;  // number of lanes of one learner
constexpr std::size_t kTogether = 4;
constexpr std::size_t kNumbersOfRow = kLanes * kTogether;
// Number of rows at a time. The gathered channels of these rows stay in the cache.
constexpr std::size_t kRows = std::size_t{1} << 13;

}  // namespace

RootSums::RootSums(const data::BinnedMatrix& bins)
    : bins_(bins),
      adder_(bins, RowAdder::kGatheredBytes),
      layout_(bins, unit_channels(nullptr, kNumbersOfRow)) {}

bool RootSums::takes(const ChannelSource& source) {
  return std::holds_alternative<UnitRows>(source.rows) && source.lanes() == kLanes;
}

std::vector<Sums> RootSums::add_up(const std::vector<ChannelSource>& sources,
                                   Host& host) {
  std::vector<Sums> sums(sources.size());
  for (std::size_t first = 0; first < sources.size(); first += kTogether) {
    add_some(sources.data() + first, std::min(kTogether, sources.size() - first), host,
             sums.data() + first);
  }
  return sums;
}

// Copies the channels of these rows to units_. Lanes without a learner or a channel stay
// 0.
void RootSums::gather(const ChannelSource* sources, std::size_t count, std::size_t begin,
                      std::size_t end, Host& host) {
  units_.resize(kRows * kNumbersOfRow);
  for_each_block(host, end - begin, RowCost::kLight,
                 [&](std::size_t, std::size_t from, std::size_t to) {
                   for (std::size_t k = 0; k < count; ++k) {
                     const UnitRows& rows = std::get<UnitRows>(sources[k].rows);
                     for (std::size_t i = from; i < to; ++i) {
                       std::copy_n(rows.at(begin + i), rows.channels,
                                   units_.data() + i * kNumbersOfRow + k * kLanes);
                     }
                   }
                 });
}

void RootSums::add_some(const ChannelSource* sources, std::size_t count, Host& host,
                        Sums* sums) {
  const std::size_t rows = bins_.rows();
  std::fill(units_.begin(), units_.end(), 0U);
  histogram_.resize(layout_.size());
  Totals total(kNumbersOfRow, 0U);
  for (std::size_t begin = 0; begin < rows; begin += kRows) {
    const std::size_t end = std::min(rows, begin + kRows);
    gather(sources, count, begin, end, host);
    PickedRows picked({}, end - begin);
    picked.first = begin;
    const Channels channels{unit_channels(units_.data(), kNumbersOfRow), units_.data()};
    add_channel_totals(channels, picked, host, total);
    adder_.for_each_tile(rows, host, [&](std::size_t t) {
      const data::Tile& tile = bins_.tiles()[t];
      if (begin == 0) {
        clear_tile(layout_, tile, histogram_);
      }
      add_to_tile(layout_, tile, channels, picked, histogram_);
    });
  }
  add_over_ranks(layout_, {}, histogram_, &total, host.reducer());
  adder_.for_each_tile(rows, host, [&](std::size_t t) {
    complete_tile(layout_, bins_.tiles()[t], total, histogram_);
  });
  const std::size_t slots = layout_.size() / kNumbersOfRow;
  for (std::size_t k = 0; k < count; ++k) {
    sums[k].total.assign(total.begin() + static_cast<std::ptrdiff_t>(k * kLanes),
                         total.begin() + static_cast<std::ptrdiff_t>((k + 1) * kLanes));
    sums[k].histogram.resize(slots * kLanes);
    for (std::size_t s = 0; s < slots; ++s) {
      std::copy_n(histogram_.data() + s * kNumbersOfRow + k * kLanes, kLanes,
                  sums[k].histogram.data() + s * kLanes);
    }
  }
}

}  // namespace rankmix::tree
