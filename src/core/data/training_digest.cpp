#include "core/data/training_digest.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/random.h"

namespace rankmix::data {
namespace {

// An odd number for each row or feature: times one, what differs stays different.
std::uint64_t odd_number(std::size_t i) { return mix_bits(i) | 1U; }

std::uint64_t bits_of(double x) {
  x += 0.0;  // -0 is 0
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

std::uint64_t of_thresholds(const BinnedMatrix& bins) {
  std::uint64_t mark = mix_bits(bins.rows());
  for (std::size_t f = 0; f < bins.features(); ++f) {
    const FeatureBins& feature = bins.feature(f);
    mark =
        mix_bits(mark ^ feature.thresholds.size() ^ (feature.has_missing ? 1U << 8 : 0));
    for (double threshold : feature.thresholds) {
      mark = mix_bits(mark ^ bits_of(threshold));
    }
  }
  return mark;
}

// The sum over features of (bin - bin of 0) times the feature's number: sparse tiles list
// only those that are not 0.
class RowMarks {
 public:
  explicit RowMarks(const BinnedMatrix& bins) : bins_(bins) {
    for (std::size_t f = 0; f < bins.features(); ++f) {
      factors_.push_back(odd_number(f));
      slot_factors_.resize(bins.slot(f), 0);
      const FeatureBins& feature = bins.feature(f);
      zero_bins_.push_back(static_cast<std::uint64_t>(feature.zero_bin));
      for (int bin = 0; bin < feature.bins(); ++bin) {
        slot_factors_.push_back(static_cast<std::uint64_t>(bin - feature.zero_bin) *
                                factors_.back());
      }
    }
  }

  std::uint64_t operator()(std::size_t row) const {
    std::uint64_t mark = 0;
    for (const Tile& tile : bins_.tiles()) {
      mark += tile.is_sparse() ? of_entries(tile, row) : of_bins(tile, row);
    }
    return mark;
  }

 private:
  std::uint64_t of_bins(const Tile& tile, std::size_t row) const {
    const std::uint8_t* row_bins = tile.bins + row * tile.width;
    const std::uint64_t* factors = factors_.data() + tile.first_feature;
    std::uint64_t mark = 0;
    for (std::size_t j = 0; j < tile.width; ++j) {
      mark += (row_bins[j] - zero_bins_[tile.first_feature + j]) * factors[j];
    }
    return mark;
  }
  std::uint64_t of_entries(const Tile& tile, std::size_t row) const {
    const std::uint64_t* factors = slot_factors_.data() + bins_.slot(tile.first_feature);
    std::uint64_t mark = 0;
    for (std::size_t e = tile.starts[row]; e < tile.starts[row + 1]; ++e) {
      mark += factors[tile.slots[e]];
    }
    return mark;
  }

  const BinnedMatrix& bins_;
  std::vector<std::uint64_t> factors_;  // of features
  std::vector<std::uint64_t> zero_bins_;
  std::vector<std::uint64_t> slot_factors_;  // what a slot adds, for entries
};

}  // namespace

std::uint64_t training_digest(const BinnedMatrix& bins, View<const int> grades,
                              View<const double> weights, Host& host) {
  const RowMarks of_bins(bins);
  auto of_row = [&](std::size_t i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    return of_bins(i) + mix_bits(static_cast<std::uint64_t>(grades[i]) ^ bits_of(weight));
  };
  const auto of_rows = sum_over_blocks<std::uint64_t>(
      host, bins.rows(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          sum += odd_number(i) * of_row(i);
        }
        return sum;
      });
  return mix_bits(of_thresholds(bins) ^ of_rows);
}

}  // namespace rankmix::data
