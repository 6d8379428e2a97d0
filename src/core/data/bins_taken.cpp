#include "core/data/bins_taken.h"

#include <limits>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::data {

std::unique_ptr<BinnedMatrix> take_bins(const BinnedMatrix& from, View<const int> rows,
                                        const std::vector<std::size_t>& features,
                                        Host& host) {
  if (!from.is_dense()) {
    throw InvalidArgument("parts are taken of dense bins only");
  }
  std::vector<FeatureBins> kept;
  for (std::size_t f : features) {
    kept.push_back(from.feature(f));
  }
  auto taken = std::make_unique<BinnedMatrix>(rows.size(), std::move(kept));
  for (const Tile& tile : taken->tiles()) {
    host.checkpoint();
    std::uint8_t* to = taken->own_bins_of(tile);
    for_each_block(host, rows.size(), RowCost::kHeavy,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t j = 0; j < tile.width(); ++j) {
                       const BinReader bin = from.reader(features[tile.features[j]]);
                       for (std::size_t i = begin; i < end; ++i) {
                         to[i * tile.width() + j] =
                             bin(static_cast<std::size_t>(rows[i]));
                       }
                     }
                   });
  }
  return taken;
}

std::vector<double> values_of_bins(const FeatureBins& feature) {
  std::vector<double> values = feature.thresholds;
  values.push_back(std::numeric_limits<double>::infinity());
  if (feature.has_missing) {
    values.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

void write_values(const BinnedMatrix& bins,
                  const std::vector<std::vector<double>>& values, std::size_t begin,
                  std::size_t end, double* to) {
  for (std::size_t f = 0; f < bins.features(); ++f) {
    bins.with_bins_of(f, [&](const auto& bin_of) {
      for (std::size_t i = begin; i < end; ++i) {
        *to++ = values[f][bin_of(i)];
      }
    });
  }
}

}  // namespace rankmix::data
