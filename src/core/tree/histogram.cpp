#include "core/tree/histogram.h"

#include <algorithm>
#include <type_traits>

#include "core/base/blocks.h"
#include "core/base/prefetch.h"
#include "core/base/serial_host.h"
#include "core/base/units.h"
#include "core/tree/channel_rows.h"

namespace rankmix::tree {
namespace {

// The channels of one row, in a form that is fast to add to slots. Two lanes need a
// vector type, because compilers would add them one by one.
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

template <int Lanes, class Rows>
RANKMIX_INLINE RowChannels<Lanes> read_channels(const Rows& channels,
                                                const PickedRows& picked, std::size_t i) {
  std::uint32_t units[kNumbers<Lanes>];
  read_picked<Lanes>(channels, picked, i, units);
  return RowChannels<Lanes>(units);
}
// Does not copy to `units` first: with such a copy, compilers copy 16 lanes twice.
template <int Lanes>
RANKMIX_INLINE RowChannels<Lanes> read_channels(const GatheredRows& channels,
                                                const PickedRows&, std::size_t i) {
  return RowChannels<Lanes>(channels.at(i));
}

// Adds the channels of one row to one slot of each feature of a tile.
template <int Lanes>
RANKMIX_INLINE void add_row(const std::uint8_t* row_bins, std::size_t width,
                            const RowChannels<Lanes>& row, std::size_t stride,
                            std::uint32_t* slots) {
  constexpr std::size_t n = kNumbers<Lanes>;
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

// A row of a tile is shorter than a cache line, but may extend into the next one.
RANKMIX_INLINE void prefetch_row(const std::uint8_t* row_bins, std::size_t width) {
  prefetch(row_bins);
  prefetch(row_bins + width - 1);
}

// The same as add_dense_tile() for a tile of one feature, without the loop over features.
template <int Lanes, class Rows>
RANKMIX_INLINE void add_lone_feature(const data::Tile& tile, const Rows& channels,
                                     const PickedRows& picked, std::uint32_t* slots) {
  for (std::size_t i = 0; i < picked.count; ++i) {
    if (!picked.rows.empty() && i + kPrefetchRows < picked.count) {
      prefetch(tile.bins + picked.rows[i + kPrefetchRows]);
    }
    prefetch_ahead(channels, picked, i, picked.count);
    read_channels<Lanes>(channels, picked, i)
        .add_to(slots + std::size_t{tile.bins[picked.row(i)]} * kNumbers<Lanes>);
  }
}

template <int Lanes, class Rows>
RANKMIX_INLINE void add_dense_tile(const data::Tile& tile, const Rows& channels,
                                   const PickedRows& picked, std::uint32_t* slots) {
  const std::size_t width = tile.width();
  const std::size_t stride = tile.stride * kNumbers<Lanes>;
  const View<const std::uint32_t> rows = picked.rows;
  if (rows.empty()) {
    const std::uint8_t* row_bins = tile.bins + picked.first * width;
    for (std::size_t i = 0; i < picked.count; ++i) {
      add_row<Lanes>(row_bins + i * width, width,
                     read_channels<Lanes>(channels, picked, i), stride, slots);
    }
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kPrefetchRows < rows.size()) {
      prefetch_row(tile.bins + std::size_t{rows[i + kPrefetchRows]} * width, width);
    }
    prefetch_ahead(channels, picked, i, rows.size());
    add_row<Lanes>(tile.bins + std::size_t{rows[i]} * width, width,
                   read_channels<Lanes>(channels, picked, i), stride, slots);
  }
}

template <int Lanes>
RANKMIX_INLINE void add_entries(const data::Tile& tile, std::size_t row,
                                const RowChannels<Lanes>& of_row, std::uint32_t* slots) {
  // These pointers are read once, because compilers cannot know that sums are not added
  // to the tile itself.
  const std::uint32_t* entry = tile.slots + tile.starts[row];
  const std::uint32_t* const end = tile.slots + tile.starts[row + 1];
  for (; entry < end; ++entry) {
    of_row.add_to(slots + std::size_t{*entry} * kNumbers<Lanes>);
  }
}

template <int Lanes, class Rows>
RANKMIX_INLINE void add_sparse_tile(const data::Tile& tile, const Rows& channels,
                                    const PickedRows& picked, std::uint32_t* slots) {
  for (std::size_t i = 0; i < picked.count; ++i) {
    if (!picked.rows.empty() && i + kPrefetchRows < picked.count) {
      prefetch(tile.starts + picked.rows[i + kPrefetchRows]);
      prefetch(tile.slots + tile.starts[picked.rows[i + kPrefetchRows / 2]]);
    }
    prefetch_ahead(channels, picked, i, picked.count);
    add_entries<Lanes>(tile, picked.row(i), read_channels<Lanes>(channels, picked, i),
                       slots);
  }
}

template <int Lanes, class Rows>
RANKMIX_INLINE void add_tile(const data::Tile& tile, const Rows& channels,
                             const PickedRows& picked, std::uint32_t* slots) {
  if (tile.is_sparse()) {
    add_sparse_tile<Lanes>(tile, channels, picked, slots);
    return;
  }
  if (tile.width() == 1) {
    add_lone_feature<Lanes>(tile, channels, picked, slots);
    return;
  }
  add_dense_tile<Lanes>(tile, channels, picked, slots);
}

template <int Lanes, class Rows>
void add_tile_plain(const data::Tile& tile, const Rows& channels,
                    const PickedRows& picked, std::uint32_t* slots) {
  add_tile<Lanes>(tile, channels, picked, slots);
}

template <int Lanes, class Rows>
RANKMIX_AVX2 void add_tile_avx2(const data::Tile& tile, const Rows& channels,
                                const PickedRows& picked, std::uint32_t* slots) {
  add_tile<Lanes>(tile, channels, picked, slots);
}

// Adds `total` minus the sum of all slots of a feature to the slot of its bin of 0.
template <int Lanes>
void fill_zero_bins(const data::BinnedMatrix& bins, const data::Tile& tile,
                    const std::uint32_t* total, std::uint32_t* slots,
                    ActiveFeatures active) {
  constexpr std::size_t n = kNumbers<Lanes>;
  for (const std::size_t f : tile.features) {
    if (!active.empty() && active[f] == 0) {
      continue;
    }
    std::uint32_t rest[n];
    std::copy(total, total + n, rest);
    std::uint32_t* first = slots + (bins.slot(f) - bins.slot(tile.features[0])) * n;
    const std::uint32_t* end = first + (bins.slot_end(f) - bins.slot(f)) * n;
    for (const std::uint32_t* slot = first; slot != end; slot += n) {
      subtract_slot<Lanes>(slot, rest);
    }
    add_slot<Lanes>(rest, first + static_cast<std::size_t>(bins.feature(f).zero_bin) * n);
  }
}

void add_rows(const data::Tile& tile, const Channels& channels, const PickedRows& picked,
              std::uint32_t* slots) {
  with_ready_rows(channels, [&](const auto& rows, auto lanes) {
    using Rows = std::decay_t<decltype(rows)>;
    constexpr int n = decltype(lanes)::value;
    const auto add = has_avx2() ? add_tile_avx2<n, Rows> : add_tile_plain<n, Rows>;
    add(tile, rows, picked, slots);
  });
}

// One feature as a separate tile. Its bins are copied unless it already is a tile.
class LoneFeature {
 public:
  LoneFeature(const data::BinnedMatrix& bins, std::size_t feature,
              const PickedRows& picked)
      : feature_(static_cast<std::uint32_t>(feature)), tile_(bins.tile_of(feature)) {
    if (!tile_.is_sparse() && tile_.width() == 1) {
      return;
    }
    copy_.resize(bins.rows());
    bins.with_bins_of(feature, [&](const auto& bin_of) {
      for (std::size_t i = 0; i < picked.count; ++i) {
        copy_[picked.row(i)] = bin_of(picked.row(i));
      }
    });
    tile_ = {{&feature_, 1},
             bins.slot_end(feature) - bins.slot(feature),
             copy_.data(),
             nullptr,
             nullptr};
  }
  const data::Tile& tile() const { return tile_; }

  LoneFeature(const LoneFeature&) = delete;  // the tile points into it
  LoneFeature& operator=(const LoneFeature&) = delete;

 private:
  std::uint32_t feature_;
  data::Tile tile_;
  std::vector<std::uint8_t> copy_;
};

// The position of the first picked row that is at least `row`. The search starts at
// position `from`.
std::size_t position_of(const PickedRows& picked, std::size_t row, std::size_t from) {
  if (picked.rows.empty()) {
    const std::size_t at = std::max(row, picked.first) - picked.first;
    return std::max(from, std::min(at, picked.count));
  }
  return static_cast<std::size_t>(std::lower_bound(picked.rows.begin() + from,
                                                   picked.rows.begin() + picked.count,
                                                   row) -
                                  picked.rows.begin());
}

// Adds the rows that were left out of a tile to the default bins of its features. The sum
// of the other rows is the same for all features.
void fill_default_bins(const HistogramLayout& layout, const data::Tile& tile,
                       const Totals& total, Histogram& histogram) {
  const Totals summed = feature_totals(layout, tile.features[0], histogram);
  with_lanes(layout.lanes(), [&](auto lanes) {
    constexpr int n = decltype(lanes)::value;
    Totals rest = total;
    subtract_slot<n>(summed.data(), rest.data());
    for (std::size_t j = 0; j < tile.width(); ++j) {
      add_slot<n>(rest.data(), histogram.data() + layout.begin(tile.features[j]) +
                                   tile.default_bins[j] * layout.numbers());
    }
  });
}

// The range of numbers of neighbouring features in a histogram.
struct Range {
  std::size_t begin;
  std::size_t end;
};
Range range_of(const HistogramLayout& layout, const data::Tile& tile) {
  return {layout.begin(tile), layout.end(tile)};
}

// Calls use(range) for the numbers of the features of a tile that must be valid.
template <class Use>
void for_ranges(const HistogramLayout& layout, const data::Tile& tile,
                ActiveFeatures active, const Use& use) {
  if (active.empty() || !tile.is_sparse()) {
    use(range_of(layout, tile));
    return;
  }
  // Neighbours make one range, because calls and loops of few numbers are slow.
  const View<const std::uint32_t> features = tile.features;
  const auto next = [&](std::size_t j, bool wanted) {
    while (j < features.size() && (active[features[j]] != 0) != wanted) {
      ++j;
    }
    return j;
  };
  for (std::size_t j = next(0, true); j < features.size(); j = next(j, true)) {
    const std::size_t first = j;
    j = next(j, false);
    use(Range{layout.begin(features[first]), layout.end(features[j - 1])});
  }
}

}  // namespace

void clear_tile(const HistogramLayout& layout, const data::Tile& tile,
                Histogram& histogram, ActiveFeatures active) {
  for_ranges(layout, tile, active, [&](const Range& range) {
    std::fill(histogram.data() + range.begin, histogram.data() + range.end, 0U);
  });
}

void copy_tile(const HistogramLayout& layout, const data::Tile& tile,
               std::uint32_t negated, const Histogram& from, Histogram& to) {
  const Range range = range_of(layout, tile);
  std::transform(from.data() + range.begin, from.data() + range.end,
                 to.data() + range.begin,
                 [&](std::uint32_t bits) { return turn(bits, negated); });
}

Channels part_of(const Channels& channels, std::size_t begin) {
  Channels part = channels;
  if (part.units != nullptr) {
    part.units += begin * channels.source.count;
  }
  return part;
}

void add_to_tile(const HistogramLayout& layout, const data::Tile& tile,
                 const Channels& channels, const PickedRows& picked,
                 Histogram& histogram) {
  std::uint32_t* slots = histogram.data() + range_of(layout, tile).begin;
  if (tile.summed == nullptr) {
    add_rows(tile, channels, picked, slots);
    return;
  }
  std::size_t done = 0;
  for (const data::RowRange& range : *tile.summed) {
    const std::size_t begin = position_of(picked, range.begin, done);
    done = position_of(picked, range.end, begin);
    if (begin < done) {
      add_rows(tile, part_of(channels, begin), picked.part(begin, done), slots);
    }
  }
}

void complete_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Totals& total, Histogram& histogram, ActiveFeatures active) {
  if (!tile.is_sparse()) {
    if (tile.summed != nullptr) {
      fill_default_bins(layout, tile, total, histogram);
    }
    return;
  }
  std::uint32_t* slots = histogram.data() + range_of(layout, tile).begin;
  with_lanes(layout.lanes(), [&](auto lanes) {
    fill_zero_bins<decltype(lanes)::value>(layout.bins(), tile, total.data(), slots,
                                           active);
  });
}

void build_feature(const HistogramLayout& layout, std::size_t feature,
                   const ChannelSource& source, const PickedRows& picked, Host& host,
                   Histogram& histogram) {
  const std::size_t first = layout.begin(feature);
  const std::size_t size = layout.end(feature) - first;
  std::vector<Histogram> parts(block_count(picked.count), Histogram(size, 0U));
  const LoneFeature lone(layout.bins(), feature, picked);
  for_each_block(host, picked.count, RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   const PickedRows rows = picked.part(begin, end);
                   SerialHost serial;
                   ChannelReader reader;
                   add_rows(lone.tile(), reader.prepare(source, rows, serial), rows,
                            parts[block].data());
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
    const std::size_t end = layout.end(feature);
    for (std::size_t i = layout.begin(feature); i < end; i += layout.numbers()) {
      add_slot<decltype(lanes)::value>(histogram.data() + i, totals.data());
    }
  });
  return totals;
}

void add_tile(const HistogramLayout& layout, const data::Tile& tile,
              const Histogram& from, Histogram& to, ActiveFeatures active) {
  for_ranges(layout, tile, active, [&](const Range& range) {
    with_lanes(layout.lanes(), [&](auto lanes) {
      for (std::size_t i = range.begin; i < range.end; i += layout.numbers()) {
        add_slot<decltype(lanes)::value>(from.data() + i, to.data() + i);
      }
    });
  });
}

void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent, ActiveFeatures active) {
  for_ranges(layout, tile, active, [&](const Range& range) {
    if (layout.lanes() == 1) {
      for (std::size_t i = range.begin; i < range.end; i += 2) {
        subtract_slot<1>(child.data() + i, parent.data() + i);
      }
      return;
    }
    for (std::size_t i = range.begin; i < range.end; ++i) {
      parent[i] -= child[i];
    }
  });
}

}  // namespace rankmix::tree
