#include "core/tree/channels.h"

#include <algorithm>
#include <type_traits>
#include <variant>

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
RANKMIX_INLINE LaneSums<Lanes> sum_rows(const Rows& channels, const PickedRows& picked,
                                        std::size_t begin, std::size_t end) {
  LaneSums<Lanes> sums;
  for (std::size_t i = begin; i < end; ++i) {
    prefetch_ahead(channels, picked, i, end);
    std::uint32_t units[kNumbers<Lanes>];
    read_picked<Lanes>(channels, picked, i, units);
    add_slot<Lanes>(units, sums.values);
  }
  return sums;
}

template <int Lanes, class Rows>
LaneSums<Lanes> sum_rows_plain(const Rows& channels, const PickedRows& picked,
                               std::size_t begin, std::size_t end) {
  return sum_rows<Lanes>(channels, picked, begin, end);
}

template <int Lanes, class Rows>
RANKMIX_AVX2 LaneSums<Lanes> sum_rows_avx2(const Rows& channels, const PickedRows& picked,
                                           std::size_t begin, std::size_t end) {
  return sum_rows<Lanes>(channels, picked, begin, end);
}

// Writes all lanes of a slot for each row. Surplus lanes overlap the next row, which is
// written later. The last row is written exactly, since another thread may write the row
// after it.
template <int Lanes, class Rows>
RANKMIX_INLINE void gather_rows(const Rows& source, std::size_t channels,
                                const PickedRows& picked, std::size_t begin,
                                std::size_t end, std::uint32_t* to) {
  constexpr int n = kNumbers<Lanes>;
  std::uint32_t units[n];
  for (std::size_t i = begin; i + 1 < end; ++i) {
    prefetch_ahead(source, picked, i, end);
    read_picked<Lanes>(source, picked, i, units);
    std::copy_n(units, n, to + i * channels);
  }
  read_picked<Lanes>(source, picked, end - 1, units);
  copy_lanes<n>(units, channels, to + (end - 1) * channels);
}

// Multiplies each gathered row by its count.
void multiply_by_counts(const std::uint32_t* counts, std::size_t channels,
                        const PickedRows& picked, std::size_t begin, std::size_t end,
                        std::uint32_t* gathered) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t count = counts[picked.row(i)];
    for (std::size_t l = 0; l < channels; ++l) {
      gathered[i * channels + l] *= count;
    }
  }
}

}  // namespace

void add_channel_totals(const Channels& channels, const PickedRows& picked, Host& host,
                        Totals& total) {
  with_ready_rows(channels, [&](const auto& rows, auto lanes) {
    using Rows = std::decay_t<decltype(rows)>;
    constexpr int n = decltype(lanes)::value;
    const auto add = has_avx2() ? sum_rows_avx2<n, Rows> : sum_rows_plain<n, Rows>;
    const auto sums = sum_over_pieces<LaneSums<n>>(
        host, picked.count, [&](std::size_t begin, std::size_t end) {
          return add(rows, picked, begin, end);
        });
    add_slot<n>(sums.values, total.data());
  });
}

bool ChannelReader::copies(const ChannelSource& source, const PickedRows& picked) {
  const bool as_they_are = picked.rows.empty() && picked.negated.empty() && !picked.twice;
  if (source.counts != nullptr) {
    return true;
  }
  return std::visit(
      [&](const auto& rows) {
        using Rows = std::decay_t<decltype(rows)>;
        return !kReadInPlace<Rows> && !(kInUnits<Rows> && as_they_are);
      },
      source.rows);
}

Channels ChannelReader::prepare(const ChannelSource& source, const PickedRows& picked,
                                Host& host) {
  if (!copies(source, picked)) {
    const std::uint32_t* units = nullptr;
    if (const auto* wide = std::get_if<WideRows>(&source.rows)) {
      units = wide->at(picked.first);
    } else if (const auto* in_units = std::get_if<UnitRows>(&source.rows)) {
      units = in_units->at(picked.first);
    }
    return {source, units};
  }
  const std::size_t count = source.count;
  const std::size_t needed = picked.count * count + kMaxLanes;
  if (gathered_.size() < needed) {
    gathered_ = std::vector<std::uint32_t>();  // resize() would hold both buffers
    gathered_.resize(needed);
  }
  with_kept_rows(source, [&](const auto& rows, auto lanes) {
    for_each_piece(host, picked.count,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     gather_rows<decltype(lanes)::value>(rows, count, picked, begin, end,
                                                         gathered_.data());
                     if (source.counts != nullptr) {
                       multiply_by_counts(source.counts, count, picked, begin, end,
                                          gathered_.data());
                     }
                   });
  });
  return {source, gathered_.data()};
}

}  // namespace rankmix::tree
