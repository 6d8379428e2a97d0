// Sums the channels of rows in histograms, tile by tile. Keeps buffers and histograms for
// reuse.
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
  // Bytes of channels that are gathered at a time. With fewer, the histogram of each tile
  // would be loaded into the cache too often.
  static constexpr std::size_t kGatheredBytes = std::size_t{1} << 21;
  using TileTask = std::function<void(std::size_t)>;

  RowAdder(const data::BinnedMatrix& bins, std::size_t gathered_bytes)
      : bins_(bins),
        gathered_bytes_(gathered_bytes),
        layout_(bins, unit_channels(nullptr, 1)) {}

  const data::BinnedMatrix& bins() const { return bins_; }
  // After this call, histograms have the slots of these channels.
  void lay_out(const ChannelSource& source) { layout_ = HistogramLayout(bins_, source); }
  const HistogramLayout& layout() const { return layout_; }

  // Sums the picked rows of all ranks. Calls begin(tile) before the first row is added to
  // a tile, and end(tile) after the last one. Also adds the channels of the rows to
  // `total`, unless `knows_total` is true. See histogram.h for `active`.
  void add_up(const ChannelSource& source, const PickedRows& picked, bool knows_total,
              Totals& total, Histogram& histogram, Host& host, const TileTask& begin,
              const TileTask& end, ActiveFeatures active = {});
  // Like add_up(), for a histogram that is first set to 0.
  void add_up_anew(const ChannelSource& source, const PickedRows& picked,
                   bool knows_total, Totals& total, Histogram& histogram, Host& host,
                   const TileTask& end, ActiveFeatures active = {});
  // Calls task(tile) for all tiles, on several threads if the number of rows justifies
  // them.
  void for_each_tile(std::size_t rows, Host& host, const TileTask& task) const;

  Histogram take_histogram();
  void give_back(Histogram& histogram);
  // Bytes of the histograms that are kept for reuse. Between trees, all histograms are
  // kept for reuse.
  std::size_t spare_bytes() const;

 private:
  // Adds the channel totals of the picked rows of this rank to `total` unless it is null,
  // and the rows to the tiles.
  void add_own(const ChannelSource& source, const PickedRows& picked, Totals* total,
               Histogram& histogram, Host& host, const TileTask& begin,
               const TileTask& end);
  void add_of_all_ranks(const ChannelSource& source, const PickedRows& picked,
                        bool knows_total, Totals& total, Histogram& histogram, Host& host,
                        const TileTask& begin, const TileTask& end,
                        ActiveFeatures active);

  // The number of parts into which rows are cut, so that each thread has some tasks.
  std::size_t parts_of(std::size_t rows, Host& host) const;
  // Adds the rows to the tiles. The parts after the first one have their own histograms,
  // parts_. They are cleared first if no rows were added before (`first`).
  void add_rows_by_part(const Channels& channels, const PickedRows& rows,
                        std::size_t parts, bool first, Histogram& histogram, Host& host,
                        const TileTask& begin);
  // Adds the parts up.
  void finish_parts(Histogram& histogram, Host& host, const TileTask& end);

  const data::BinnedMatrix& bins_;
  std::size_t gathered_bytes_;
  HistogramLayout layout_;
  std::vector<Histogram> spare_;
  std::vector<Histogram> parts_;
  ChannelReader reader_;
};

}  // namespace rankmix::tree
