// Channels: K numbers for each row, which a booster stores and histograms sum.
//
// Sums are of 32-bit fixed-point numbers in units of 2^-30, so that a sum does not depend
// on the order of its terms. Any division of rows among threads gives the same bits, and
// parent minus child is exact. The code that fills the channels must make sure that the
// sum over all rows fits into 32 bits. Arithmetic is unsigned, which wraps around without
// undefined behaviour; readers cast to int32_t.
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

// The channels of all rows as a booster stores them, row-major. kMaxLanes spare numbers
// must follow the last row, as all lanes of a slot are read.
struct ChannelSource {
  ChannelKind rows;
  std::size_t count;       // numbers of a slot, including derived ones
  double fine_unit = 0.0;  // unit of finer channels relative to the others; 0: none
  // How often each row counts; null: once. Channels with counts are always gathered. Wide
  // channels and channels in units have no counts, because they are already multiplied by
  // the counts.
  const std::uint32_t* counts = nullptr;

  bool wide() const { return std::holds_alternative<WideRows>(rows); }
  std::size_t lanes() const { return wide() ? 1 : lanes_for(count); }
};

// One function for each kind of channel_kinds.h.
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

// Rows to sum: the listed rows, or, if the list is empty, `count` rows from `first` on.
struct PickedRows {
  View<const std::uint32_t> rows;
  std::size_t count = 0;
  std::size_t first = 0;
  // If not empty, all bits of negated[i] are set if the i-th row counts with the opposite
  // sign, and none otherwise. Magnitudes are not negated.
  View<const std::int8_t> negated = {};
  bool twice = false;  // each row counts twice. Like `negated`, not for wide channels

  PickedRows(View<const std::uint32_t> listed, std::size_t how_many)
      : rows(listed), count(how_many) {}
  std::size_t row(std::size_t i) const { return rows.empty() ? first + i : rows[i]; }
  // The rows at the positions begin .. end - 1 of these rows.
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

// Channels in the form in which each tile reads the picked rows: in units, in the order
// of these rows, already negated and doubled; or, if `units` is null, as they are stored.
struct Channels {
  ChannelSource source;
  const std::uint32_t* units = nullptr;
};

// Makes channels ready to be read. Floats that are not summed are read in place.
// Gathering them first took longer, in particular on two threads, because each thread
// then reads channels that another thread gathered. Consecutive rows in units are read in
// place, too, unless they are negated or doubled. For listed rows in units, reading in
// place was not faster. All other channels are gathered.
class ChannelReader {
 public:
  // Number of rows to prepare at a time: all, or as many as fit into `gathered_bytes` if
  // they are gathered.
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

// Adds the sums over the picked rows to the slot `total`.
void add_channel_totals(const Channels& channels, const PickedRows& picked, Host& host,
                        Totals& total);

}  // namespace rankmix::tree
