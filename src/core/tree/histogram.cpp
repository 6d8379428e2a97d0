#include "core/tree/histogram.h"

#include <algorithm>

#include "core/base/errors.h"

namespace rankmix::tree {
namespace {

// Rows ahead whose bins and channels are fetched while a row is added.
constexpr std::size_t kPrefetch = 16;

inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// One row: adds its channels to one slot of each feature. Width 0 means `width`; the full
// tile has its own instance, which the compiler unrolls.
template <int Lanes, int Width>
inline void add_row(const std::uint8_t* row_bins, std::size_t width,
                    const std::uint32_t* row_channels, const std::size_t* offsets,
                    std::uint32_t* slots) {
  std::uint32_t lane[Lanes];
  for (int l = 0; l < Lanes; ++l) {
    lane[l] = row_channels[l];
  }
  const std::size_t features = Width > 0 ? static_cast<std::size_t>(Width) : width;
  for (std::size_t j = 0; j < features; ++j) {
    std::uint32_t* slot = slots + offsets[j] + std::size_t{row_bins[j]} * Lanes;
    for (int l = 0; l < Lanes; ++l) {
      slot[l] += lane[l];
    }
  }
}

template <int Lanes, int Width>
void add_rows(const data::Tile& tile, const Channels& channels,
              View<const std::uint32_t> rows, std::size_t count,
              const std::size_t* offsets, std::uint32_t* slots) {
  const std::size_t width = tile.width;
  if (rows.empty()) {
    for (std::size_t i = 0; i < count; ++i) {
      add_row<Lanes, Width>(tile.bins + i * width, width,
                            channels.values + i * channels.count, offsets, slots);
    }
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kPrefetch < rows.size()) {
      const std::size_t ahead = rows[i + kPrefetch];
      prefetch(tile.bins + ahead * width);
      prefetch(channels.values + ahead * channels.count);
    }
    const std::size_t row = rows[i];
    add_row<Lanes, Width>(tile.bins + row * width, width,
                          channels.values + row * channels.count, offsets, slots);
  }
}

template <int Lanes>
void add_tile(const data::Tile& tile, const Channels& channels,
              View<const std::uint32_t> rows, std::size_t count,
              const std::size_t* offsets, std::uint32_t* slots) {
  if (tile.width == data::kTileWidth) {
    add_rows<Lanes, data::kTileWidth>(tile, channels, rows, count, offsets, slots);
  } else {
    add_rows<Lanes, 0>(tile, channels, rows, count, offsets, slots);
  }
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

HistogramLayout::HistogramLayout(const data::BinnedMatrix& bins, std::size_t channels)
    : channels_(channels), lanes_(lanes_for(channels)), begin_(bins.features() + 1) {
  for (std::size_t f = 0; f < bins.features(); ++f) {
    // An odd number of slots: strides that are powers of two would map all features of a
    // row to the same cache sets.
    const std::size_t slots = static_cast<std::size_t>(bins.feature(f).bins()) | 1U;
    begin_[f + 1] = begin_[f] + slots * lanes_;
  }
}

void build_tile(const HistogramLayout& layout, const data::Tile& tile,
                const Channels& channels, View<const std::uint32_t> rows,
                std::size_t count, Histogram& histogram) {
  const std::size_t first = layout.begin(tile.first_feature);
  const std::size_t last = layout.begin(tile.first_feature + tile.width);
  std::uint32_t* slots = histogram.data() + first;
  std::fill(slots, slots + (last - first), 0U);
  std::size_t offsets[data::kTileWidth];
  for (std::size_t j = 0; j < tile.width; ++j) {
    offsets[j] = layout.begin(tile.first_feature + j) - first;
  }
  switch (layout.lanes()) {
    case 2:
      return add_tile<2>(tile, channels, rows, count, offsets, slots);
    case 4:
      return add_tile<4>(tile, channels, rows, count, offsets, slots);
    case 8:
      return add_tile<8>(tile, channels, rows, count, offsets, slots);
    case 16:
      return add_tile<16>(tile, channels, rows, count, offsets, slots);
    default:
      return add_tile<32>(tile, channels, rows, count, offsets, slots);
  }
}

void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent) {
  const std::size_t first = layout.begin(tile.first_feature);
  const std::size_t last = layout.begin(tile.first_feature + tile.width);
  for (std::size_t i = first; i < last; ++i) {
    parent[i] -= child[i];
  }
}

}  // namespace rankmix::tree
