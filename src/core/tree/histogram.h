// Histograms: for each feature and bin the sums of K channels over the rows of a node.
//
// Channels are 32-bit fixed-point numbers, so that a sum does not depend on the order of
// its terms: any cut into threads gives the same bits, and parent minus child is exact.
// Whoever fills the channels must scale them so that no sum over rows leaves 32 bits.
// Arithmetic is unsigned, which wraps and never overflows; readers cast to int32_t.
//
// A slot holds `lanes` numbers, K rounded up so that a slot is one or two vector
// registers. Lanes beyond K hold whatever follows the row's channels in memory and are
// never read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/simd.h"
#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::tree {

constexpr std::size_t kMaxLanes = 32;

// Lanes of a slot for K channels: 2, 4, 8, 16 or 32.
std::size_t lanes_for(std::size_t channels);

// A wide slot is one 64-bit number in place of lanes; it counts as a single lane.
template <int Lanes>
constexpr int kNumbers = Lanes == 1 ? 2 : Lanes;

inline std::uint64_t read_wide(const std::uint32_t* slot) {
  std::uint64_t wide;
  std::memcpy(&wide, slot, sizeof(wide));
  return wide;
}
inline void write_wide(std::uint64_t wide, std::uint32_t* slot) {
  std::memcpy(slot, &wide, sizeof(wide));
}

template <int Lanes>
RANKMIX_INLINE void add_slot(const std::uint32_t* from, std::uint32_t* to) {
  if constexpr (Lanes == 1) {
    write_wide(read_wide(to) + read_wide(from), to);
  } else {
    for (int l = 0; l < Lanes; ++l) {
      to[l] += from[l];
    }
  }
}
template <int Lanes>
RANKMIX_INLINE void subtract_slot(const std::uint32_t* from, std::uint32_t* to) {
  if constexpr (Lanes == 1) {
    write_wide(read_wide(to) - read_wide(from), to);
  } else {
    for (int l = 0; l < Lanes; ++l) {
      to[l] -= from[l];
    }
  }
}

// Calls use(n), where the type of n tells the lanes: decltype(n)::value.
template <class Use>
auto with_lanes(std::size_t lanes, const Use& use) {
  switch (lanes) {
    case 1:
      return use(std::integral_constant<int, 1>());
    case 2:
      return use(std::integral_constant<int, 2>());
    case 4:
      return use(std::integral_constant<int, 4>());
    case 8:
      return use(std::integral_constant<int, 8>());
    case 16:
      return use(std::integral_constant<int, 16>());
    default:
      return use(std::integral_constant<int, 32>());
  }
}

// Row-major, rows x count, followed by kMaxLanes spare numbers, in units of 2^-30.
struct Channels {
  const std::uint32_t* values;
  std::size_t count;
  bool wide = false;  // the two channels are one 64-bit number
};

inline std::size_t lanes_of(const Channels& channels) {
  return channels.wide ? 1 : lanes_for(channels.count);
}

// The channels of all rows as a booster keeps them, laid out alike: in units, or as real
// numbers, which are rounded to units where they are read. `finer`, if not 0, is for
// doubles: half of the channels are theirs, the other half what rounding took from them,
// in units so many times finer.
struct ChannelSource {
  std::variant<const std::uint32_t*, const float*, const double*> values;
  std::size_t count;
  bool wide = false;
  double finer = 0.0;

  // Of the finer channels, in units of the others; 0 where there are none.
  double fine_unit() const { return finer > 0.0 ? 1.0 / finer : 0.0; }
};

// Channels of some rows in units, one after the other: what is read again for each tile
// is then read in order.
class GatheredChannels {
 public:
  // Of the rows listed, or of the first `count` ones if none are.
  void gather(const ChannelSource& source, View<const std::uint32_t> rows,
              std::size_t count, Host& host);
  // Of the rows listed, of which some have their signs turned: all bits of turned[i] are
  // set for those, none for the others. Not for wide channels.
  void gather_turned(const ChannelSource& source, View<const std::uint32_t> rows,
                     View<const std::uint32_t> turned, Host& host);
  Channels view() const { return {values_.data(), count_, wide_}; }

 private:
  template <class Turned>
  void gather_all(const ChannelSource& source, View<const std::uint32_t> rows,
                  std::size_t count, const Turned& turned, Host& host);

  std::size_t count_ = 0;
  bool wide_ = false;
  std::vector<std::uint32_t> values_;
};

// Where each feature's slots lie: the slots of the bins, so many lanes each.
class HistogramLayout {
 public:
  HistogramLayout(const data::BinnedMatrix& bins, std::size_t channels, bool wide)
      : bins_(&bins),
        channels_(channels),
        lanes_(wide ? 1 : lanes_for(channels)),
        numbers_(wide ? 2 : lanes_) {}
  std::size_t lanes() const { return lanes_; }
  std::size_t numbers() const { return numbers_; }  // of a slot
  std::size_t channels() const { return channels_; }
  // First number of a feature; feature f ends before begin(f + 1).
  std::size_t begin(std::size_t feature) const { return bins_->slot(feature) * numbers_; }
  std::size_t size() const { return begin(bins_->features()); }
  const data::BinnedMatrix& bins() const { return *bins_; }

 private:
  const data::BinnedMatrix* bins_;
  std::size_t channels_;
  std::size_t lanes_;
  std::size_t numbers_;
};

using Histogram = AlignedVector<std::uint32_t>;
// Sums over a node, laid out as a slot.
using Totals = std::vector<std::uint32_t>;

// Sums over all of the first `rows` rows.
Totals channel_totals(const Channels& channels, std::size_t rows, Host& host);

// Adds up the rows of one tile, after clearing its slots. `rows` lists the rows, whose
// channels stand in the same order, or is empty to mean the first `count` ones; `total`
// are the sums over them.
void build_tile(const HistogramLayout& layout, const data::Tile& tile,
                const Channels& channels, View<const std::uint32_t> rows,
                std::size_t count, const Totals& total, Histogram& histogram);

// Whether channels stand at the numbers of their rows, or one after the other as the rows
// are listed.
enum class ChannelOrder { kByRow, kAsListed };

// Adds up the rows for one feature alone, over blocks of rows.
void build_feature(const HistogramLayout& layout, std::size_t feature,
                   const ChannelSource& source, ChannelOrder order,
                   View<const std::uint32_t> rows, std::size_t count, Host& host,
                   Histogram& histogram);

// Sums over all slots of a feature that was added up.
Totals feature_totals(const HistogramLayout& layout, std::size_t feature,
                      const Histogram& histogram);

// parent -= child for the slots of one tile.
void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent);

// to = sign * from + 2 * added, for some numbers side by side: what sums become when the
// rows that were added change their sign.
void flip_sums(int sign, const std::uint32_t* from, const std::uint32_t* added,
               std::size_t count, std::uint32_t* to);

}  // namespace rankmix::tree
