// Reads the rows of any kind of channels as slots of units.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "core/base/prefetch.h"
#include "core/base/simd.h"
#include "core/base/units.h"
#include "core/tree/channels.h"

namespace rankmix::tree {

// Kinds of rows whose numbers are read in place, from the array of the booster, and kinds
// whose numbers are stored in units.
template <class Rows>
constexpr bool kReadInPlace =
    std::is_same_v<Rows, RealRows<float>> || std::is_same_v<Rows, MagnitudeRows<float>>;
template <class Rows>
constexpr bool kInUnits =
    std::is_same_v<Rows, WideRows> || std::is_same_v<Rows, UnitRows>;

// Reads the i-th picked row, negated and doubled as `picked` requests.
template <int Lanes, class Rows>
RANKMIX_INLINE void read_picked(const Rows& rows, const PickedRows& picked, std::size_t i,
                                std::uint32_t* units) {
  const int shift = picked.twice ? 1 : 0;
  const int negated = picked.negated.empty() ? 0 : picked.negated[i];  // all bits or none
  rows.template read<Lanes>(picked.row(i), static_cast<std::uint32_t>(negated), units);
  for (int l = 0; l < kNumbers<Lanes>; ++l) {
    units[l] <<= shift;
  }
}

// Prefetches the row kPrefetchRows after the i-th, if it is before the end-th.
template <class Rows>
RANKMIX_INLINE void prefetch_ahead(const Rows& rows, const PickedRows& picked,
                                   std::size_t i, std::size_t end) {
  if (!picked.rows.empty() && i + kPrefetchRows < end) {
    prefetch(rows.at(picked.rows[i + kPrefetchRows]));
  }
}

// Units of the picked rows in the order of the rows, already negated and doubled.
struct GatheredRows {
  const std::uint32_t* values;
  std::size_t channels;

  const std::uint32_t* at(std::size_t i) const { return values + i * channels; }
};

template <int Lanes>
RANKMIX_INLINE void read_picked(const GatheredRows& rows, const PickedRows&,
                                std::size_t i, std::uint32_t* units) {
  std::copy_n(rows.at(i), kNumbers<Lanes>, units);
}
RANKMIX_INLINE void prefetch_ahead(const GatheredRows&, const PickedRows&, std::size_t,
                                   std::size_t) {}

// Calls use(rows, n) with the rows as a booster stores them. The type of n holds the
// number of lanes of a slot.
template <class Use>
void with_kept_rows(const ChannelSource& source, const Use& use) {
  std::visit(
      [&](const auto& rows) {
        using Lanes = typename std::decay_t<decltype(rows)>::Lanes;
        with_lanes(Lanes(), source.lanes(), [&](auto n) { use(rows, n); });
      },
      source.rows);
}

// Like with_kept_rows(), with rows that are ready to be read: gathered in units, or
// floats in place.
template <class Use>
void with_ready_rows(const Channels& channels, const Use& use) {
  if (channels.units != nullptr) {
    const GatheredRows rows{channels.units, channels.source.count};
    with_lanes(channels.source.lanes(), [&](auto n) { use(rows, n); });
    return;
  }
  with_kept_rows(channels.source, [&](const auto& rows, auto n) {
    if constexpr (kReadInPlace<std::decay_t<decltype(rows)>>) {
      use(rows, n);
    }
  });
}

}  // namespace rankmix::tree
