#include "core/tree/channels.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/tree/channel_rows.h"

namespace rankmix::tree {
namespace {

template <int Lanes>
struct LaneSums {
  std::uint32_t values[kNumbers<Lanes>] = {};
  LaneSums& operator+=(const LaneSums& other) {
    add_slot<Lanes>(other.values, values);
    return *this;
  }
};

template <int Lanes, class Rows>
void sum_channels(const Rows& channels, const PickedRows& picked, Host& host,
                  Totals& total) {
  const auto sums = sum_over_blocks<LaneSums<Lanes>>(
      host, picked.count, [&](std::size_t begin, std::size_t end) {
        LaneSums<Lanes> part;
        for (std::size_t i = begin; i < end; ++i) {
          std::uint32_t units[kNumbers<Lanes>];
          read_picked<Lanes>(channels, picked, i, units);
          add_slot<Lanes>(units, part.values);
        }
        return part;
      });
  add_slot<Lanes>(sums.values, total.data());
}

// All lanes of a row are written at once, over the beginning of the next one, which comes
// later; but the row after the last may be another thread's.
template <int Lanes, class Rows>
RANKMIX_INLINE void gather_rows(const Rows& source, std::size_t channels,
                                const PickedRows& picked, std::size_t begin,
                                std::size_t end, std::uint32_t* to) {
  constexpr int n = kNumbers<Lanes>;
  std::uint32_t units[n];
  for (std::size_t i = begin; i + 1 < end; ++i) {
    if (!picked.rows.empty() && i + kPrefetchRows < end) {
      prefetch_picked(source, picked, i + kPrefetchRows);
    }
    read_picked<Lanes>(source, picked, i, units);
    std::copy_n(units, n, to + i * channels);
  }
  read_picked<Lanes>(source, picked, end - 1, units);
  copy_lanes<n>(units, channels, to + (end - 1) * channels);
}

}  // namespace

void add_channel_totals(const Channels& channels, const PickedRows& picked, Host& host,
                        Totals& total) {
  const std::size_t slot_lanes =
      channels.source.wide ? 1 : lanes_for(channels.source.count);
  with_channel_rows(channels, [&](const auto& rows) {
    with_lanes(slot_lanes, [&](auto lanes) {
      sum_channels<decltype(lanes)::value>(rows, picked, host, total);
    });
  });
}

bool GatheredChannels::copies(const ChannelSource& source, const PickedRows& picked) {
  const bool as_they_are =
      picked.rows.empty() && picked.turned.empty() && !picked.twice && !source.magnitudes;
  const bool units = std::holds_alternative<const std::uint32_t*>(source.values);
  return !std::holds_alternative<const float*>(source.values) && !(units && as_they_are);
}

Channels GatheredChannels::prepare(const ChannelSource& source, const PickedRows& picked,
                                   Host& host) {
  if (!copies(source, picked)) {
    const auto* units = std::get_if<const std::uint32_t*>(&source.values);
    return {source, units == nullptr ? nullptr : *units + picked.first * source.count};
  }
  const std::size_t count = source.count;
  const std::size_t needed = picked.count * count + kMaxLanes;
  if (values_.size() < needed) {
    values_ = std::vector<std::uint32_t>();  // resize() would hold both at a time
    values_.resize(needed);
  }
  with_rows(source, [&](const auto& all) {
    with_lanes(lanes_for(count), [&](auto lanes) {
      for_each_piece(host, picked.count,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       gather_rows<decltype(lanes)::value>(all, count, picked, begin, end,
                                                           values_.data());
                     });
    });
  });
  return {source, values_.data()};
}

}  // namespace rankmix::tree
