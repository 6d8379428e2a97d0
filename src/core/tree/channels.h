// Channels: K numbers for each row, which a booster keeps and histograms add up.
//
// They are added up as 32-bit fixed-point numbers, so that a sum does not depend on the
// order of its terms: any cut into threads gives the same bits, and parent minus child is
// exact. Whoever fills the channels must scale them so that no sum over rows leaves 32
// bits. Arithmetic is unsigned, which wraps and never overflows; readers cast to int32_t.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// The channels of all rows as a booster keeps them: in units of 2^-30, or as real
// numbers, which are rounded to units where they are read. Row-major, rows x kept,
// followed by kMaxLanes spare numbers. Of `count` channels all are kept, unless some
// follow from others.
struct ChannelSource {
  std::variant<const std::uint32_t*, const float*, const double*> values;
  std::size_t count;
  bool wide = false;  // the two channels are one 64-bit number
  // If not 0, for doubles: half of the channels are kept, the others are what rounding
  // took from them, in units so many times finer.
  double finer = 0.0;
  // If not 0, so many channels are kept, and from the middle of a slot on stand their
  // magnitudes: where there are finer channels, from the middle of each half of a slot.
  // `count` is the lanes of a slot; those that are left over are 0.
  std::size_t magnitudes = 0;
  // If not empty, a sign for each number that is kept of a row, 1 or -1: their sum, each
  // times its sign, is the one channel, and the sum of their magnitudes the one magnitude
  // there may be.
  View<const int> signs = {};

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
  View<const std::int8_t> turned = {};
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
