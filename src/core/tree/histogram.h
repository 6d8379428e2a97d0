// Histograms: for each feature and bin the sums of K channels over the rows of a node.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// Where each feature's slots lie: the slots of the bins, so many lanes each.
class HistogramLayout {
 public:
  HistogramLayout(const data::BinnedMatrix& bins, const ChannelSource& source)
      : bins_(&bins),
        channels_(source.count),
        lanes_(source.lanes()),
        numbers_(source.wide() ? 2 : lanes_) {}
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

// The sums of some rows.
struct Sums {
  Totals total;
  Histogram histogram;
};

// The sums over one tile: cleared, rows added to them, as often as there are some, and
// made whole.
void clear_tile(const HistogramLayout& layout, const data::Tile& tile,
                Histogram& histogram);
void add_to_tile(const HistogramLayout& layout, const data::Tile& tile,
                 const Channels& channels, const PickedRows& picked,
                 Histogram& histogram);
// Where only some bins are listed, the others follow from `total`, the sums of all rows
// added.
void complete_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Totals& total, Histogram& histogram);

// Adds up the rows for one feature alone, over blocks of rows.
void build_feature(const HistogramLayout& layout, std::size_t feature,
                   const ChannelSource& source, const PickedRows& picked, Host& host,
                   Histogram& histogram);

// Sums over all slots of a feature that was added up.
Totals feature_totals(const HistogramLayout& layout, std::size_t feature,
                      const Histogram& histogram);

// parent -= child for the slots of one tile.
void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent);

// to = from for the slots of one tile, which are not wide, or -from where all bits of
// `negated` are set; `from` and `to` may be one.
void copy_tile(const HistogramLayout& layout, const data::Tile& tile,
               std::uint32_t negated, const Histogram& from, Histogram& to);

}  // namespace rankmix::tree
