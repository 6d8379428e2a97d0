#include "core/tree/search_flipped.h"

#include <algorithm>
#include <vector>

#include "core/base/units.h"

namespace rankmix::tree {

// A row that counts with the wrong sign in `from` is added twice with the right sign.
Split search_flipped(RowAdder& adder, const Sums& from, std::uint32_t negated,
                     const PickedRows& flipped, const ChannelSource& source,
                     const SplitFinder& finder, const Sample& sample, Host& host,
                     Sums& sums) {
  adder.lay_out(source);
  const HistogramLayout& layout = adder.layout();
  sums.histogram.resize(layout.size());
  sums.total.resize(layout.numbers());
  std::transform(from.total.begin(), from.total.end(), sums.total.begin(),
                 [&](std::uint32_t bits) { return turn(bits, negated); });
  PickedRows picked = flipped;
  picked.twice = true;
  const std::vector<data::Tile>& tiles = adder.bins().tiles();
  std::vector<Split> found(tiles.size());
  adder.add_up(
      source, picked, false, sums.total, sums.histogram, host,
      [&](std::size_t t) {
        copy_tile(layout, tiles[t], negated, from.histogram, sums.histogram);
      },
      [&](std::size_t t) {
        found[t] = finder.best_of_tile(layout, tiles[t], sums.histogram, sums.total,
                                       sample.active);
      });
  return best_of(found);
}

}  // namespace rankmix::tree
