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
#include <vector>

#include "core/base/views.h"
#include "core/data/bins.h"

namespace rankmix::tree {

constexpr std::size_t kMaxLanes = 32;

// Lanes of a slot for K channels: 2, 4, 8, 16 or 32.
std::size_t lanes_for(std::size_t channels);

// Row-major, rows x count, followed by kMaxLanes spare numbers.
struct Channels {
  const std::uint32_t* values;
  std::size_t count;
};

// Where each feature's slots lie.
class HistogramLayout {
 public:
  HistogramLayout(const data::BinnedMatrix& bins, std::size_t channels);
  std::size_t lanes() const { return lanes_; }
  std::size_t channels() const { return channels_; }
  // First number of a feature; feature f ends before begin(f + 1).
  std::size_t begin(std::size_t feature) const { return begin_[feature]; }
  std::size_t size() const { return begin_.back(); }

 private:
  std::size_t channels_;
  std::size_t lanes_;
  std::vector<std::size_t> begin_;
};

using Histogram = std::vector<std::uint32_t>;

// Adds up the rows of one tile, after clearing its slots. `rows` lists the rows, or is
// empty to mean the first `count` ones.
void build_tile(const HistogramLayout& layout, const data::Tile& tile,
                const Channels& channels, View<const std::uint32_t> rows,
                std::size_t count, Histogram& histogram);

// parent -= child for the slots of one tile.
void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent);

}  // namespace rankmix::tree
