// The gains of tests in a leaf, for searches that sum these gains over leaves.
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
  // The gain of splitting a leaf with these sums; -infinity if the split is not allowed.
  virtual double gain(const Totals& left, const Totals& total,
                      std::size_t lanes) const = 0;
  // Adds to `gains` the gain of a leaf for each test of the active features of a tile.
  // For the test after bin b, which has slot s, this is gains[2 s] with missing values on
  // the right and gains[2 s + 1] with missing values on the left. A test that must not
  // split the leaf adds 0. For the slot s of missing values, gains[2 s] becomes positive
  // if the leaf has any.
  virtual void add_gains(const HistogramLayout& layout, const data::Tile& tile,
                         const Histogram& histogram, const Totals& total,
                         const std::vector<std::uint8_t>& active,
                         std::vector<double>& gains) const = 0;
};

}  // namespace rankmix::tree
