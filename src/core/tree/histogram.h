// Histograms: for each feature and bin, the sums of K channels over the rows of a node.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// The layout of a histogram: one slot for each bin, features in order.
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
  // The range of the numbers of a feature, or of the features of a tile.
  std::size_t begin(std::size_t feature) const { return bins_->slot(feature) * numbers_; }
  std::size_t end(std::size_t feature) const {
    return bins_->slot_end(feature) * numbers_;
  }
  std::size_t begin(const data::Tile& tile) const {
    return tile.features.empty() ? 0 : begin(tile.features[0]);
  }
  std::size_t end(const data::Tile& tile) const {
    return tile.features.empty() ? 0 : end(tile.features[tile.width() - 1]);
  }
  std::size_t size() const { return bins_->slots() * numbers_; }
  const data::BinnedMatrix& bins() const { return *bins_; }

 private:
  const data::BinnedMatrix* bins_;
  std::size_t channels_;
  std::size_t lanes_;
  std::size_t numbers_;
};

using Histogram = AlignedVector<std::uint32_t>;

// The sums over some rows, in total and for each feature and bin.
struct Sums {
  Totals total;
  Histogram histogram;
};

// To sum rows over one tile, call clear_tile(), then add_to_tile() for each group of
// rows, then complete_tile().
//
// With `active`, in a sparse tile only the slots of features f with active[f] != 0 are
// valid. The slots of other features must not be used. Without `active`, all slots are
// valid.
using ActiveFeatures = View<const std::uint8_t>;
void clear_tile(const HistogramLayout& layout, const data::Tile& tile,
                Histogram& histogram, ActiveFeatures active = {});
// The channels of the picked rows from position `begin` on.
Channels part_of(const Channels& channels, std::size_t begin);
void add_to_tile(const HistogramLayout& layout, const data::Tile& tile,
                 const Channels& channels, const PickedRows& picked,
                 Histogram& histogram);
// A sparse tile does not list the bin of 0. The slot of this bin is `total`, the sums of
// all added rows, minus the other slots of the feature. A tile of a block omits rows in
// which all its features have their default bins.
void complete_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Totals& total, Histogram& histogram, ActiveFeatures active = {});

// Sums the rows for one feature alone, in parallel over blocks of rows.
void build_feature(const HistogramLayout& layout, std::size_t feature,
                   const ChannelSource& source, const PickedRows& picked, Host& host,
                   Histogram& histogram);

// The sum of all slots of a feature.
Totals feature_totals(const HistogramLayout& layout, std::size_t feature,
                      const Histogram& histogram);

// to += from for the slots of one tile.
void add_tile(const HistogramLayout& layout, const data::Tile& tile,
              const Histogram& from, Histogram& to, ActiveFeatures active = {});
// parent -= child for the slots of one tile.
void subtract_tile(const HistogramLayout& layout, const data::Tile& tile,
                   const Histogram& child, Histogram& parent, ActiveFeatures active = {});

// to = from for the slots of one tile, or to = -from if all bits of `negated` are set.
// Slots must not be wide. `from` and `to` may be the same.
void copy_tile(const HistogramLayout& layout, const data::Tile& tile,
               std::uint32_t negated, const Histogram& from, Histogram& to);

}  // namespace rankmix::tree
