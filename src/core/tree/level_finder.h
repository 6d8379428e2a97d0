// What a test gains in a leaf, for searches that add that up over leaves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/bins.h"
#include "core/tree/histogram.h"
#include "core/tree/split_finder.h"

namespace rankmix::tree {

class LevelFinder : public SplitFinder {
 public:
  // The gain of splitting a leaf with these sums; -infinity where it may not be.
  virtual double gain(const Totals& left, const Totals& total,
                      std::size_t lanes) const = 0;
  // Adds to `gains` what a leaf gains by each test of the active features of a tile.
  // Behind bin b, of slot s, that is gains[2 s] with missing values on the right,
  // gains[2 s + 1] with them on the left; a test that may not part it gains 0. The slot
  // of missing values gets a number above 0 where there are some.
  virtual void add_gains(const HistogramLayout& layout, const data::Tile& tile,
                         const Histogram& histogram, const Totals& total,
                         const std::vector<std::uint8_t>& active,
                         std::vector<double>& gains) const = 0;
};

}  // namespace rankmix::tree
