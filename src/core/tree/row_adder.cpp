#include "core/tree/row_adder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/tree/rank_sums.h"

namespace rankmix::tree {
namespace {

// Smallest number of updates and slots of a node for which several threads are faster.
constexpr std::size_t kParallelWork = std::size_t{1} << 15;
// Smallest number of rows in a part. With fewer rows, clearing and adding up the
// histogram of the part would take too long.
constexpr std::size_t kRowsOfPart = std::size_t{1} << 13;
// Number of tasks for each thread. With several tasks, no thread waits long for the last
// task.
constexpr std::size_t kTasksOfThread = 2;

}  // namespace

void RowAdder::for_each_tile(std::size_t rows, Host& host, const TileTask& task) const {
  const std::size_t tiles = bins_.tiles().size();
  if (rows * bins_.values_per_row() + bins_.slots() < kParallelWork) {
    for (std::size_t t = 0; t < tiles; ++t) {
      task(t);
    }
  } else {
    host.parallel_for(tiles, task);
  }
}

void RowAdder::add_up(const ChannelSource& source, const PickedRows& picked,
                      bool knows_total, Totals& total, Histogram& histogram, Host& host,
                      const TileTask& begin, const TileTask& end, ActiveFeatures active) {
  if (!host.reducer().is_alone()) {
    add_of_all_ranks(source, picked, knows_total, total, histogram, host, begin, end,
                     active);
    return;
  }
  add_own(source, picked, knows_total ? nullptr : &total, histogram, host, begin,
          [&](std::size_t t) {
            complete_tile(layout_, bins_.tiles()[t], total, histogram, active);
            end(t);
          });
}

// Sums the rows of this rank separately, because `histogram` may already have sums of all
// ranks.
void RowAdder::add_of_all_ranks(const ChannelSource& source, const PickedRows& picked,
                                bool knows_total, Totals& total, Histogram& histogram,
                                Host& host, const TileTask& begin, const TileTask& end,
                                ActiveFeatures active) {
  Histogram part = take_histogram();
  Totals part_total(layout_.numbers(), 0U);
  add_own(
      source, picked, knows_total ? nullptr : &part_total, part, host,
      [&](std::size_t t) { clear_tile(layout_, bins_.tiles()[t], part, active); },
      [](std::size_t) {});
  add_over_ranks(layout_, active, part, knows_total ? nullptr : &part_total,
                 host.reducer());
  with_lanes(layout_.lanes(), [&](auto lanes) {
    add_slot<decltype(lanes)::value>(part_total.data(), total.data());
  });
  for_each_tile(picked.count, host, [&](std::size_t t) {
    const data::Tile& tile = bins_.tiles()[t];
    begin(t);
    add_tile(layout_, tile, part, histogram, active);
    complete_tile(layout_, tile, total, histogram, active);
    end(t);
  });
  give_back(part);
}

// With few tiles, many threads would be idle. Sums are exact, so rows may be cut anywhere.
std::size_t RowAdder::parts_of(std::size_t rows, Host& host) const {
  const std::size_t tiles = bins_.tiles().size();
  const std::size_t threads = host.threads();
  if (!bins_.is_dense() || threads <= tiles / 2) {
    return 1;
  }
  const std::size_t wanted = (kTasksOfThread * threads + tiles - 1) / tiles;
  return std::max(std::size_t{1}, std::min(wanted, rows / kRowsOfPart));
}

void RowAdder::add_rows_by_part(const Channels& channels, const PickedRows& rows,
                                std::size_t parts, bool first, Histogram& histogram,
                                Host& host, const TileTask& begin) {
  host.parallel_for(bins_.tiles().size() * parts, [&](std::size_t i) {
    const std::size_t t = i / parts;
    const std::size_t p = i % parts;
    const data::Tile& tile = bins_.tiles()[t];
    if (first && p == 0) {
      begin(t);
    } else if (first) {
      clear_tile(layout_, tile, parts_[p - 1]);
    }
    const std::size_t from = p * rows.count / parts;
    const std::size_t to = (p + 1) * rows.count / parts;
    add_to_tile(layout_, tile, part_of(channels, from), rows.part(from, to),
                p == 0 ? histogram : parts_[p - 1]);
  });
}

void RowAdder::finish_parts(Histogram& histogram, Host& host, const TileTask& end) {
  host.parallel_for(bins_.tiles().size(), [&](std::size_t t) {
    for (const Histogram& part : parts_) {
      add_tile(layout_, bins_.tiles()[t], part, histogram);
    }
    end(t);
  });
  for (Histogram& part : parts_) {
    give_back(part);
  }
  parts_.clear();
}

// Gathered rows are added in chunks, so that the buffer of gathered channels stays small.
void RowAdder::add_own(const ChannelSource& source, const PickedRows& picked,
                       Totals* total, Histogram& histogram, Host& host,
                       const TileTask& begin, const TileTask& end) {
  const std::size_t chunk =
      ChannelReader::rows_at_a_time(source, picked, gathered_bytes_);
  const std::size_t parts = parts_of(std::min(chunk, picked.count), host);
  while (parts_.size() + 1 < parts) {
    parts_.push_back(take_histogram());
  }
  std::size_t done = 0;
  do {
    const bool first = done == 0;
    const PickedRows rows = picked.part(done, std::min(picked.count, done + chunk));
    done += rows.count;
    const Channels channels = reader_.prepare(source, rows, host);
    if (total != nullptr) {
      add_channel_totals(channels, rows, host, *total);
    }
    if (parts > 1) {
      add_rows_by_part(channels, rows, parts, first, histogram, host, begin);
      continue;
    }
    for_each_tile(rows.count, host, [&](std::size_t t) {
      const data::Tile& tile = bins_.tiles()[t];
      if (first) {
        begin(t);
      }
      add_to_tile(layout_, tile, channels, rows, histogram);
      if (done == picked.count) {
        end(t);
      }
    });
  } while (done < picked.count);
  if (parts > 1) {
    finish_parts(histogram, host, end);
  }
}

void RowAdder::add_up_anew(const ChannelSource& source, const PickedRows& picked,
                           bool knows_total, Totals& total, Histogram& histogram,
                           Host& host, const TileTask& end, ActiveFeatures active) {
  add_up(
      source, picked, knows_total, total, histogram, host,
      [&](std::size_t t) { clear_tile(layout_, bins_.tiles()[t], histogram, active); },
      end, active);
}

// Takes the most recently returned histogram that is large enough. Smaller histograms,
// with fewer channels, are not enlarged. Otherwise all would finally have the size of the
// largest histogram.
Histogram RowAdder::take_histogram() {
  const auto large_enough = std::find_if(
      spare_.rbegin(), spare_.rend(),
      [&](const Histogram& spare) { return spare.capacity() >= layout_.size(); });
  if (large_enough == spare_.rend()) {
    return Histogram(layout_.size());
  }
  Histogram histogram = std::move(*large_enough);
  spare_.erase(std::next(large_enough).base());
  histogram.resize(layout_.size());
  return histogram;
}

void RowAdder::give_back(Histogram& histogram) {
  if (!histogram.empty()) {
    spare_.push_back(std::move(histogram));
    histogram.clear();
  }
}

std::size_t RowAdder::spare_bytes() const {
  std::size_t numbers = 0;
  for (const Histogram& spare : spare_) {
    numbers += spare.capacity();
  }
  return numbers * sizeof(std::uint32_t);
}

}  // namespace rankmix::tree
