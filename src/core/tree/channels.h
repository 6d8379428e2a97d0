// Channels: K numbers for each row, which a booster keeps and histograms add up.
//
// They are added up as 32-bit fixed-point numbers, so that a sum does not depend on the
// order of its terms: any cut into threads gives the same bits, and parent minus child is
// exact. Whoever fills the channels must scale them so that no sum over rows leaves 32
// bits. Arithmetic is unsigned, which wraps and never overflows; readers cast to int32_t.
#pragma once
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// Row-major, rows x count, followed by kMaxLanes spare numbers, in units of 2^-30.
struct Channels {
  const std::uint32_t* values;
  std::size_t count;
  bool wide = false;  // the two channels are one 64-bit number
};

// The channels of all rows as a booster keeps them, laid out alike: in units, or as real
// numbers, which are rounded to units where they are read. There may be as many channels
// more that follow from those that are kept, behind them: `count` counts both.
struct ChannelSource {
  std::variant<const std::uint32_t*, const float*, const double*> values;
  std::size_t count;
  bool wide = false;
  // If not 0, for doubles: the other channels are what rounding took from them, in units
  // so many times finer.
  double finer = 0.0;
  // The other channels are the magnitudes of those that are kept.
  bool magnitudes = false;

  // Of the finer channels, in units of the others; 0 where there are none.
  double fine_unit() const { return finer > 0.0 ? 1.0 / finer : 0.0; }
};

// Rows to be added up: those listed, or, where the list is empty, `count` of them from
// `first` on.
struct PickedRows {
  View<const std::uint32_t> rows;
  std::size_t count = 0;
  std::size_t first = 0;
  // If not empty, all bits of turned[i] are set where the i-th of them counts with its
  // sign turned, but for magnitudes, and none otherwise.
  View<const std::uint32_t> turned = {};
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
    if (!turned.empty()) {
      some.turned = {turned.data() + begin, some.count};
    }
    return some;
  }
};

// Channels of some rows in units, one after the other: what is read again for each tile
// is then read in order.
class GatheredChannels {
 public:
  void gather(const ChannelSource& source, const PickedRows& picked, Host& host);
  Channels view() const { return {values_.data(), count_, wide_}; }

 private:
  std::size_t count_ = 0;
  bool wide_ = false;
  std::vector<std::uint32_t> values_;
};

// Adds the sums over the first `rows` rows to `total`, a slot.
void add_channel_totals(const Channels& channels, std::size_t rows, Host& host,
                        Totals& total);

}  // namespace rankmix::tree
