#include "core/data/bins_taken.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"

namespace rankmix::data {
namespace {

void check_feature(const BinnedMatrix& bins, std::size_t feature) {
  if (feature >= bins.features()) {
    throw InvalidArgument("the bins do not have this feature");
  }
}

std::vector<FeatureBins> features_of(const BinnedMatrix& from,
                                     const std::vector<std::size_t>& features) {
  if (!from.is_dense()) {
    throw InvalidArgument("parts are taken of dense bins only");
  }
  std::vector<FeatureBins> kept;
  for (std::size_t f : features) {
    check_feature(from, f);
    kept.push_back(from.feature(f));
  }
  return kept;
}

// Fills the bins of each tile by write(j, begin, end, to) for the j-th feature.
template <class Write>
void fill_tiles(BinnedMatrix& bins, Host& host, const Write& write) {
  for (const Tile& tile : bins.tiles()) {
    host.checkpoint();
    std::uint8_t* to = bins.own_bins_of(tile);
    for_each_block(host, bins.rows(), RowCost::kHeavy,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t j = 0; j < tile.width(); ++j) {
                       write(tile.features[j], begin, end, to + j, tile.width());
                     }
                   });
  }
}

// The bins of the numbers 1 to `count` as values.
FeatureBins bins_of_numbers(const LevelNumbers& of) {
  FeatureBins bins;
  for (int number = 1; number < of.count; ++number) {
    bins.thresholds.push_back(number + 0.5);
  }
  bins.has_missing = std::any_of(of.numbers.begin(), of.numbers.end(), [&](int number) {
    return number < 1 || number > of.count;
  });
  return bins;
}

}  // namespace

std::unique_ptr<BinnedMatrix> take_bins(const BinnedMatrix& from, View<const int> rows,
                                        const std::vector<std::size_t>& features,
                                        Host& host) {
  const auto is_other = [&](int row) {
    return row < 0 || static_cast<std::size_t>(row) >= from.rows();
  };
  if (std::any_of(rows.begin(), rows.end(), is_other)) {
    throw InvalidArgument("the bins do not have this row");
  }
  auto taken = std::make_unique<BinnedMatrix>(rows.size(), features_of(from, features));
  fill_tiles(*taken, host,
             [&](std::size_t f, std::size_t begin, std::size_t end, std::uint8_t* to,
                 std::size_t width) {
               const BinReader bin = from.reader(features[f]);
               for (std::size_t i = begin; i < end; ++i) {
                 to[i * width] = bin(static_cast<std::size_t>(rows[i]));
               }
             });
  return taken;
}

std::unique_ptr<BinnedMatrix> with_levels(const BinnedMatrix& from,
                                          const std::vector<std::size_t>& features,
                                          const std::vector<LevelNumbers>& factors,
                                          Host& host) {
  std::vector<FeatureBins> kept = features_of(from, features);
  std::vector<const LevelNumbers*> factor_at(features.size(), nullptr);
  for (const LevelNumbers& factor : factors) {
    if (factor.position >= features.size() || factor.numbers.size() != from.rows()) {
      throw InvalidArgument("the levels are not one number for each row of a feature");
    }
    kept[factor.position] = bins_of_numbers(factor);
    factor_at[factor.position] = &factor;
  }
  auto out = std::make_unique<BinnedMatrix>(from.rows(), std::move(kept));
  fill_tiles(*out, host,
             [&](std::size_t f, std::size_t begin, std::size_t end, std::uint8_t* to,
                 std::size_t width) {
               const LevelNumbers* factor = factor_at[f];
               if (factor == nullptr) {
                 const BinReader bin = from.reader(features[f]);
                 for (std::size_t i = begin; i < end; ++i) {
                   to[i * width] = bin(i);
                 }
                 return;
               }
               const int missing = out->feature(f).missing_bin();
               for (std::size_t i = begin; i < end; ++i) {
                 const int number = factor->numbers[i];
                 const bool known = number >= 1 && number <= factor->count;
                 to[i * width] = static_cast<std::uint8_t>(known ? number - 1 : missing);
               }
             });
  return out;
}

std::vector<int> first_ones(const BinnedMatrix& bins,
                            const std::vector<std::size_t>& columns,
                            const std::vector<bool>& ones, Host& host) {
  if (ones.size() != columns.size()) {
    throw InvalidArgument("each column needs its value if it is constant");
  }
  for (std::size_t column : columns) {
    check_feature(bins, column);
  }
  std::vector<int> first(bins.rows(), -1);
  for_each_block(host, bins.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t k = columns.size(); k-- > 0;) {
                     const FeatureBins& feature = bins.feature(columns[k]);
                     const bool constant = feature.thresholds.empty();
                     if (constant && !ones[k]) {
                       continue;
                     }
                     const int one = constant ? 0 : feature.value_bins() - 1;
                     const BinReader bin = bins.reader(columns[k]);
                     for (std::size_t i = begin; i < end; ++i) {
                       first[i] = bin(i) == one ? static_cast<int>(k) : first[i];
                     }
                   }
                 });
  return first;
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
