// Channels: K numbers for each row, which a booster keeps and histograms add up.
//
// They are added up as 32-bit fixed-point numbers, in units of 2^-30, so that a sum does
// not depend on the order of its terms: any cut into threads gives the same bits, and
// parent minus child is exact. The sum over all rows must fit into 32 bits, which whoever
// fills the channels sees to. Arithmetic is unsigned, which wraps and never overflows;
// readers cast to int32_t.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/channel_kinds.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// The channels of all rows as a booster keeps them, row-major, followed by kMaxLanes
// spare numbers.
struct ChannelSource {
  ChannelKind rows;
  std::size_t count;       // numbers of a slot, with those that follow from others
  double fine_unit = 0.0;  // of finer channels in units of the others; 0: there are none
  // How often each row counts, or null: once. Rows that count are gathered; neither wide
  // channels nor those in units do, as they have their counts in them.
  const std::uint32_t* counts = nullptr;

  bool wide() const { return std::holds_alternative<WideRows>(rows); }
  std::size_t lanes() const { return wide() ? 1 : lanes_for(count); }
};

// One for each kind; see channel_kinds.h.
inline ChannelSource wide_channels(const std::uint32_t* values) {
  return {WideRows{values}, 2};
}
inline ChannelSource unit_channels(const std::uint32_t* values, std::size_t count) {
  return {UnitRows{values, count}, count};
}
template <class Real>
ChannelSource real_channels(const Real* values, std::size_t count) {
  return {RealRows<Real>{values, count}, count};
}
inline ChannelSource fine_channels(const double* values, std::size_t kept, double finer) {
  return {FineRows{values, kept, finer}, 2 * kept, 1.0 / finer};
}
template <class Real>
ChannelSource magnitude_channels(const Real* values, std::size_t kept) {
  return {MagnitudeRows<Real>(values, kept), lanes_for(2 * kept)};
}
inline ChannelSource fine_magnitude_channels(const double* values, std::size_t kept,
                                             double finer) {
  return {FineMagnitudeRows{values, kept, finer}, lanes_for(4 * kept), 1.0 / finer};
}
template <class Real>
ChannelSource summed_channels(const Real* values, View<const int> signs,
                              bool magnitudes) {
  return {SummedRows<Real>(values, signs, magnitudes), magnitudes ? 2U : 1U};
}
inline ChannelSource fine_summed_channels(const double* values, View<const int> signs,
                                          bool magnitudes, double finer) {
  return {FineSummedRows{values, signs, magnitudes, finer}, magnitudes ? 4U : 2U,
          1.0 / finer};
}

// Rows to be added up: those listed, or, where the list is empty, `count` of them from
// `first` on.
struct PickedRows {
  View<const std::uint32_t> rows;
  std::size_t count = 0;
  std::size_t first = 0;
  // If not empty, all bits of negated[i] are set where the i-th of them counts with its
  // sign negated, but for magnitudes, and none otherwise.
  View<const std::int8_t> negated = {};
  bool twice = false;  // each row counts twice; neither is for wide channels

  PickedRows(View<const std::uint32_t> listed, std::size_t how_many)
      : rows(listed), count(how_many) {}
  std::size_t row(std::size_t i) const { return rows.empty() ? first + i : rows[i]; }
  // Those from the begin-th on, before the end-th.
  PickedRows part(std::size_t begin, std::size_t end) const {
    PickedRows some = *this;
    some.count = end - begin;
    some.first = first + begin;
    if (!rows.empty()) {
      some.rows = {rows.data() + begin, some.count};
    }
    if (!negated.empty()) {
      some.negated = {negated.data() + begin, some.count};
    }
    return some;
  }
};

// Channels as tiles read the rows that are picked, each tile again: either in units, in
// the order of these rows and as they count, or as they are kept, where `units` is null.
struct Channels {
  ChannelSource source;
  const std::uint32_t* units = nullptr;
};

// Makes channels ready to be read. Floats that are not summed are read as they are kept:
// to gather them first took longer, on one thread and more so on two, as one has to fetch
// what the other gathered. Units are, too, of rows in order that count as they are; to
// read those of listed rows in place gained nothing. What else there is, is gathered.
class ChannelReader {
 public:
  // How many of the rows to prepare at a time: all, or as many as are gathered in so many
  // bytes.
  static std::size_t rows_at_a_time(const ChannelSource& source, const PickedRows& picked,
                                    std::size_t gathered_bytes) {
    const std::size_t row_bytes = source.count * sizeof(std::uint32_t);
    return copies(source, picked) ? std::max(std::size_t{1}, gathered_bytes / row_bytes)
                                  : picked.count;
  }
  Channels prepare(const ChannelSource& source, const PickedRows& picked, Host& host);

 private:
  static bool copies(const ChannelSource& source, const PickedRows& picked);

  std::vector<std::uint32_t> gathered_;
};

// Adds the sums over the rows that are picked to `total`, a slot.
void add_channel_totals(const Channels& channels, const PickedRows& picked, Host& host,
                        Totals& total);

}  // namespace rankmix::tree
