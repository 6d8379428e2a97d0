#include "core/data/row_marks.h"

namespace rankmix::data {

RowMarks::RowMarks(const BinnedMatrix& bins) : bins_(bins) {
  slot_factors_.assign(bins.slots(), 0);
  for (std::size_t f = 0; f < bins.features(); ++f) {
    factors_.push_back(odd_number(f));
    const FeatureBins& feature = bins.feature(f);
    zero_bins_.push_back(static_cast<std::uint64_t>(feature.zero_bin));
    for (int bin = 0; bin < feature.bins(); ++bin) {
      slot_factors_[bins.slot(f) + static_cast<std::size_t>(bin)] =
          static_cast<std::uint64_t>(bin - feature.zero_bin) * factors_.back();
    }
  }
}

std::uint64_t RowMarks::of_bins(const Tile& tile, std::size_t row) const {
  const std::uint8_t* row_bins = tile.bins + row * tile.width();
  std::uint64_t mark = 0;
  for (std::size_t j = 0; j < tile.width(); ++j) {
    const std::size_t f = tile.features[j];
    mark += (row_bins[j] - zero_bins_[f]) * factors_[f];
  }
  return mark;
}

std::uint64_t RowMarks::of_entries(const Tile& tile, std::size_t row) const {
  const std::uint64_t* factors = slot_factors_.data() + bins_.slot(tile.features[0]);
  std::uint64_t mark = 0;
  for (std::size_t e = tile.starts[row]; e < tile.starts[row + 1]; ++e) {
    mark += factors[tile.slots[e]];
  }
  return mark;
}

}  // namespace rankmix::data
