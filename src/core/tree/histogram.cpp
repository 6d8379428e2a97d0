#include "core/tree/histogram.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/units.h"

namespace rankmix::tree {
namespace {

// Rows ahead whose bins and channels are fetched while a row is added.
constexpr std::size_t kPrefetch = 16;

// Inlined at all costs: a call would be dropped as one that does nothing.
RANKMIX_INLINE void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// The channels of a row, to be added to slots. Two lanes are one small vector: compilers
// would add them one by one.
template <int Lanes>
struct RowChannels {
  std::uint32_t numbers[Lanes];

  RANKMIX_INLINE explicit RowChannels(const std::uint32_t* channels) {
    std::copy_n(channels, Lanes, numbers);
  }
  RANKMIX_INLINE void add_to(std::uint32_t* slot) const {
    add_slot<Lanes>(numbers, slot);
  }
};

template <>
struct RowChannels<1> {
  std::uint64_t wide;

  RANKMIX_INLINE explicit RowChannels(const std::uint32_t* channels)
      : wide(read_wide(channels)) {}
  RANKMIX_INLINE void add_to(std::uint32_t* slot) const {
    write_wide(read_wide(slot) + wide, slot);
  }
};

#if defined(__GNUC__)
template <>
struct RowChannels<2> {
  using Pair = std::uint32_t __attribute__((vector_size(8)));
  Pair lanes;

  RANKMIX_INLINE explicit RowChannels(const std::uint32_t* channels) {
    std::memcpy(&lanes, channels, sizeof(Pair));
  }
  RANKMIX_INLINE void add_to(std::uint32_t* slot) const {
    Pair sum;
    std::memcpy(&sum, slot, sizeof(Pair));
    sum += lanes;
    std::memcpy(slot, &sum, sizeof(Pair));
  }
};
#endif

// One row: adds its channels to one slot of each feature.
template <int Lanes>
RANKMIX_INLINE void add_row(const std::uint8_t* row_bins, std::size_t width,
                            const std::uint32_t* row_channels, std::size_t stride,
                            std::uint32_t* slots) {
  constexpr std::size_t n = kNumbers<Lanes>;
  const RowChannels<Lanes> row(row_channels);
  const std::uint8_t* const end = row_bins + width;
  for (; row_bins + 4 <= end; row_bins += 4, slots += 4 * stride) {
    row.add_to(slots + row_bins[0] * n);
    row.add_to(slots + stride + row_bins[1] * n);
    row.add_to(slots + 2 * stride + row_bins[2] * n);
    row.add_to(slots + 3 * stride + row_bins[3] * n);
  }
  for (; row_bins < end; ++row_bins, slots += stride) {
    row.add_to(slots + *row_bins * n);
  }
}

template <int Lanes>
RANKMIX_INLINE void add_dense_tile(const data::Tile& tile, const Channels& channels,
                                   View<const std::uint32_t> rows, std::size_t count,
                                   std::uint32_t* slots) {
  const std::size_t width = tile.width;
  const std::size_t stride = tile.stride * kNumbers<Lanes>;
  if (rows.empty()) {
    for (std::size_t i = 0; i < count; ++i) {
      add_row<Lanes>(tile.bins + i * width, width, channels.values + i * channels.count,
                     stride, slots);
    }
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kPrefetch < rows.size()) {
      prefetch(tile.bins + std::size_t{rows[i + kPrefetch]} * width);
    }
    add_row<Lanes>(tile.bins + std::size_t{rows[i]} * width, width,
                   channels.values + i * channels.count, stride, slots);
  }
}

template <int Lanes>
RANKMIX_INLINE void add_entries(const data::Tile& tile, std::size_t row,
                                const std::uint32_t* row_channels, std::uint32_t* slots) {
  const RowChannels<Lanes> of_row(row_channels);
  for (std::size_t e = tile.starts[row]; e < tile.starts[row + 1]; ++e) {
    of_row.add_to(slots + std::size_t{tile.slots[e]} * kNumbers<Lanes>);
  }
}

// What a node's other slots lack to its total is in the bin of 0.
template <int Lanes>
RANKMIX_INLINE void fill_zero_bins(const data::BinnedMatrix& bins, const data::Tile& tile,
                                   const std::uint32_t* total, std::uint32_t* slots) {
  constexpr std::size_t n = kNumbers<Lanes>;
  for (std::size_t f = tile.first_feature; f < tile.first_feature + tile.width; ++f) {
    std::uint32_t rest[n];
    std::copy(total, total + n, rest);
    const std::uint32_t* first =
        slots + (bins.slot(f) - bins.slot(tile.first_feature)) * n;
    const std::uint32_t* end = first + (bins.slot(f + 1) - bins.slot(f)) * n;
    for (const std::uint32_t* slot = first; slot != end; slot += n) {
      subtract_slot<Lanes>(slot, rest);
    }
    const auto zero = static_cast<std::size_t>(bins.feature(f).zero_bin);
    std::copy(rest, rest + n, slots + (first - slots) + zero * n);
  }
}

template <int Lanes>
RANKMIX_INLINE void add_sparse_tile(const data::BinnedMatrix& bins,
                                    const data::Tile& tile, const Channels& channels,
                                    View<const std::uint32_t> rows, std::size_t count,
                                    const Totals& total, std::uint32_t* slots) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!rows.empty() && i + kPrefetch < count) {
      prefetch(tile.starts + rows[i + kPrefetch]);
    }
    add_entries<Lanes>(tile, rows.empty() ? i : rows[i],
                       channels.values + i * channels.count, slots);
  }
  fill_zero_bins<Lanes>(bins, tile, total.data(), slots);
}

template <int Lanes>
RANKMIX_INLINE void add_tile(const data::BinnedMatrix& bins, const data::Tile& tile,
                             const Channels& channels, View<const std::uint32_t> rows,
                             std::size_t count, const Totals& total,
                             std::uint32_t* slots) {
  if (tile.is_sparse()) {
    add_sparse_tile<Lanes>(bins, tile, channels, rows, count, total, slots);
    return;
  }
  add_dense_tile<Lanes>(tile, channels, rows, count, slots);
}

template <int Lanes>
void add_tile_plain(const data::BinnedMatrix& bins, const data::Tile& tile,
                    const Channels& channels, View<const std::uint32_t> rows,
                    std::size_t count, const Totals& total, std::uint32_t* slots) {
  add_tile<Lanes>(bins, tile, channels, rows, count, total, slots);
}

template <int Lanes>
RANKMIX_AVX2 void add_tile_avx2(const data::BinnedMatrix& bins, const data::Tile& tile,
                                const Channels& channels, View<const std::uint32_t> rows,
                                std::size_t count, const Totals& total,
                                std::uint32_t* slots) {
  add_tile<Lanes>(bins, tile, channels, rows, count, total, slots);
}

template <int Lanes>
struct LaneSums {
  std::uint32_t values[kNumbers<Lanes>] = {};
  LaneSums& operator+=(const LaneSums& other) {
    add_slot<Lanes>(other.values, values);
    return *this;
  }
};

template <int Lanes>
Totals sum_channels(const Channels& channels, std::size_t rows, Host& host) {
  const auto sums = sum_over_blocks<LaneSums<Lanes>>(
      host, rows, [&](std::size_t begin, std::size_t end) {
        LaneSums<Lanes> part;
        for (std::size_t i = begin; i < end; ++i) {
          add_slot<Lanes>(channels.values + i * channels.count, part.values);
        }
        return part;
      });
  return Totals(sums.values, sums.values + kNumbers<Lanes>);
}

}  // namespace

std::size_t lanes_for(std::size_t channels) {
  std::size_t lanes = 2;
  while (lanes < channels) {
    lanes *= 2;
  }
  if (lanes > kMaxLanes) {
    throw InvalidArgument("at most 32 channels");
  }
  return lanes;
}

Totals channel_totals(const Channels& channels, std::size_t rows, Host& host) {
  return with_lanes(lanes_of(channels), [&](auto lanes) {
    return sum_channels<decltype(lanes)::value>(channels, rows, host);
  });
}

void build_tile(const HistogramLayout& layout, const data::Tile& tile,
                const Channels& channels, View<const std::uint32_t> rows,
                std::size_t count, const Totals& total, Histogram& histogram) {
  const std::size_t first = layout.begin(tile.first_feature);
  const std::size_t last = layout.begin(tile.first_feature + tile.width);
  std::uint32_t* slots = histogram.data() + first;
  std::fill(slots, slots + (last - first), 0U);
  with_lanes(layout.lanes(), [&](auto lanes) {
    constexpr int lane_count = decltype(lanes)::value;
    const auto add = has_avx2() ? add_tile_avx2<lane_count> : add_tile_plain<lane_count>;
    add(layout.bins(), tile, channels, rows, count, total, slots);
  });
}

namespace {

// Rows of a source, whose channels it writes in units: all lanes.
template <class Value>
struct UnitRows {
  const Value* values;
  std::size_t channels;

  const Value* at(std::size_t row) const { return values + row * channels; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t* units) const {
    for (int l = 0; l < kNumbers<Lanes>; ++l) {
      units[l] = to_units(at(row)[l]);
    }
  }
};

struct FineRows {
  const double* values;
  std::size_t numbers;  // half of the channels
  double finer;

  const double* at(std::size_t row) const { return values + row * numbers; }
  template <int Lanes>
  void read(std::size_t row, std::uint32_t* units) const {
    std::fill(units, units + kNumbers<Lanes>, 0U);
    for (std::size_t l = 0; l < numbers; ++l) {
      const double number = at(row)[l] * kUnits;
      units[l] = rounded(number);
      const double rest = number - static_cast<std::int32_t>(units[l]);
      units[numbers + l] = rounded(rest * finer);
    }
  }
};

// Calls use(rows).
template <class Use>
void with_rows(const ChannelSource& source, const Use& use) {
  if (source.finer > 0.0) {
    use(FineRows{std::get<const double*>(source.values), source.count / 2, source.finer});
    return;
  }
  std::visit(
      [&](const auto* values) {
        use(UnitRows<std::decay_t<decltype(*values)>>{values, source.count});
      },
      source.values);
}

template <int Lanes, class BinOf, class Rows>
void add_feature_rows(const BinOf& bin_of, const Rows& channels, ChannelOrder order,
                      View<const std::uint32_t> rows, std::size_t begin, std::size_t end,
                      std::uint32_t* slots) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = rows.empty() ? i : rows[i];
    const std::size_t at = order == ChannelOrder::kByRow ? row : i;
    std::uint32_t units[kNumbers<Lanes>];
    channels.template read<Lanes>(at, units);
    add_slot<Lanes>(units, slots + std::size_t{bin_of(row)} * kNumbers<Lanes>);
  }
}

// All lanes of a row are written at once, over the beginning of the next one, which comes
// later; but the row after the last may be another thread's.
template <int Lanes, class Rows, class Turned>
RANKMIX_INLINE void gather_rows(const Rows& source, std::size_t channels,
                                View<const std::uint32_t> rows, const Turned& turned,
                                std::size_t begin, std::size_t end, std::uint32_t* to) {
  constexpr int n = kNumbers<Lanes>;
  std::uint32_t units[n];
  auto read = [&](std::size_t i) {
    source.template read<Lanes>(rows.empty() ? i : rows[i], units);
    for (std::uint32_t& unit : units) {
      unit = (unit ^ turned(i)) - turned(i);
    }
  };
  for (std::size_t i = begin; i + 1 < end; ++i) {
    if (!rows.empty() && i + kPrefetch < end) {
      prefetch(source.at(rows[i + kPrefetch]));
    }
    read(i);
    std::copy_n(units, n, to + i * channels);
  }
  read(end - 1);
  copy_lanes<n>(units, channels, to + (end - 1) * channels);
}

}  // namespace

void build_feature(const HistogramLayout& layout, std::size_t feature,
                   const ChannelSource& source, ChannelOrder order,
                   View<const std::uint32_t> rows, std::size_t count, Host& host,
                   Histogram& histogram) {
  const std::size_t first = layout.begin(feature);
  const std::size_t size = layout.begin(feature + 1) - first;
  std::vector<Histogram> parts(block_count(count), Histogram(size, 0U));
  auto add = [&](const auto& bin_of, const auto& channels, auto lanes) {
    for_each_block(host, count, RowCost::kLight,
                   [&](std::size_t block, std::size_t begin, std::size_t end) {
                     add_feature_rows<decltype(lanes)::value>(
                         bin_of, channels, order, rows, begin, end, parts[block].data());
                   });
  };
  layout.bins().with_bins_of(feature, [&](const auto& bin_of) {
    with_rows(source, [&](const auto& channels) {
      with_lanes(layout.lanes(), [&](auto lanes) { add(bin_of, channels, lanes); });
    });
  });
  std::uint32_t* slots = histogram.data() + first;
  std::fill(slots, slots + size, 0U);
  with_lanes(layout.lanes(), [&](auto lanes) {
    for (const Histogram& part : parts) {
      for (std::size_t i = 0; i < size; i += layout.numbers()) {
        add_slot<decltype(lanes)::value>(part.data() + i, slots + i);
      }
    }
  });
}

Totals feature_totals(const HistogramLayout& layout, std::size_t feature,
                      const Histogram& histogram) {
  Totals totals(layout.numbers(), 0U);
  with_lanes(layout.lanes(), [&](auto lanes) {
    const std::size_t end = layout.begin(feature + 1);
    for (std::size_t i = layout.begin(feature); i < end; i += layout.numbers()) {
      add_slot<decltype(lanes)::value>(histogram.data() + i, totals.data());
    }
  });
  return totals;
}

template <class Turned>
void GatheredChannels::gather_all(const ChannelSource& source,
                                  View<const std::uint32_t> rows, std::size_t count,
                                  const Turned& turned, Host& host) {
  count_ = source.count;
  wide_ = source.wide;
  const std::size_t needed = count * count_ + kMaxLanes;
  if (values_.size() < needed) {
    values_ = std::vector<std::uint32_t>();  // resize() would hold both at a time
    values_.resize(needed);
  }
  with_rows(source, [&](const auto& all) {
    with_lanes(lanes_for(count_), [&](auto lanes) {
      for_each_block(host, count, RowCost::kLight,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       gather_rows<decltype(lanes)::value>(all, count_, rows, turned,
                                                           begin, end, values_.data());
                     });
    });
  });
}

void GatheredChannels::gather(const ChannelSource& source, View<const std::uint32_t> rows,
                              std::size_t count, Host& host) {
  gather_all(
      source, rows, count, [](std::size_t) { return 0U; }, host);
}

void GatheredChannels::gather_turned(const ChannelSource& source,
                                     View<const std::uint32_t> rows,
                                     View<const std::uint32_t> turned, Host& host) {
  gather_all(
      source, rows, rows.size(), [&](std::size_t i) { return turned[i]; }, host);
}

void flip_sums(int sign, const std::uint32_t* from, const std::uint32_t* added,
               std::size_t count, std::uint32_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = (sign < 0 ? 0U - from[i] : from[i]) + 2 * added[i];
  }
}

void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent) {
  const std::size_t first = layout.begin(tile.first_feature);
  const std::size_t last = layout.begin(tile.first_feature + tile.width);
  if (layout.lanes() == 1) {
    for (std::size_t i = first; i < last; i += 2) {
      subtract_slot<1>(child.data() + i, parent.data() + i);
    }
    return;
  }
  for (std::size_t i = first; i < last; ++i) {
    parent[i] -= child[i];
  }
}

}  // namespace rankmix::tree
