// Adds up the channels of rows in histograms, tile by tile, and keeps histograms for
// reuse. What stays the same from search to search.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/histogram.h"

namespace rankmix::tree {

class RowAdder {
 public:
  // Channels that are gathered take so many bytes at a time: fewer would have each tile
  // fetch its histogram too often.
  static constexpr std::size_t kGatheredBytes = std::size_t{1} << 21;
  using TileTask = std::function<void(std::size_t)>;

  RowAdder(const data::BinnedMatrix& bins, std::size_t gathered_bytes)
      : bins_(bins),
        gathered_bytes_(gathered_bytes),
        layout_(bins, unit_channels(nullptr, 1)) {}

  const data::BinnedMatrix& bins() const { return bins_; }
  // Histograms have the slots of these channels from now on.
  void lay_out(const ChannelSource& source) { layout_ = HistogramLayout(bins_, source); }
  const HistogramLayout& layout() const { return layout_; }

  // Calls begin(tile) before the rows are added to a tile's sums, and end(tile) once they
  // all are. Their channels are added to `total`, too, unless it is already known.
  void add_up(const ChannelSource& source, const PickedRows& picked, bool knows_total,
              Totals& total, Histogram& histogram, Host& host, const TileTask& begin,
              const TileTask& end);
  // The same for a histogram that begins with 0.
  void add_up_anew(const ChannelSource& source, const PickedRows& picked,
                   bool knows_total, Totals& total, Histogram& histogram, Host& host,
                   const TileTask& end);
  // Calls task(tile) for all, on several threads where the number of rows justifies them.
  void for_each_tile(std::size_t rows, Host& host, const TileTask& task) const;

  Histogram take_histogram();
  void give_back(Histogram& histogram);
  // Bytes of the histograms that are kept for reuse, as all are between trees.
  std::size_t spare_bytes() const;

 private:
  const data::BinnedMatrix& bins_;
  std::size_t gathered_bytes_;
  HistogramLayout layout_;
  std::vector<Histogram> spare_;
  ChannelReader reader_;
};

}  // namespace rankmix::tree
