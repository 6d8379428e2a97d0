#include "core/data/training_digest.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/random.h"
#include "core/data/row_marks.h"

namespace rankmix::data {
namespace {

std::uint64_t bits_of(double x) {
  x += 0.0;  // turns -0 into 0
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// `rows` is the number of rows of all ranks.
std::uint64_t of_thresholds(const BinnedMatrix& bins, std::uint64_t rows) {
  std::uint64_t mark = mix_bits(rows);
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

// The digest from the sum of the hashes of the rows of this rank.
std::uint64_t of_all_ranks(const BinnedMatrix& bins, std::uint64_t of_rows, Host& host) {
  std::uint64_t sums[2] = {of_rows, bins.rows()};
  host.reducer().add(View<std::uint64_t>(sums, 2));
  return mix_bits(of_thresholds(bins, sums[1]) ^ sums[0]);
}

}  // namespace

std::uint64_t training_digest(const BinnedMatrix& bins, View<const int> grades,
                              View<const double> weights, Host& host) {
  const RowMarks of_bins(bins);
  auto of_row = [&](std::size_t i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    return mix_bits(of_bins(i) ^
                    mix_bits(static_cast<std::uint64_t>(grades[i]) ^ bits_of(weight)));
  };
  const auto of_rows = sum_over_blocks<std::uint64_t>(
      host, bins.rows(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          sum += of_row(i);
        }
        return sum;
      });
  return of_all_ranks(bins, of_rows, host);
}

std::uint64_t rows_digest(const BinnedMatrix& bins,
                          FunctionRef<double(std::size_t)> grade_of,
                          const HashedQueries& queries, Host& host) {
  const RowMarks of_bins(bins);
  const auto of_rows = sum_over_blocks<std::uint64_t>(
      host, bins.rows(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const auto query = static_cast<std::size_t>(queries.of_rows[i] - 1);
          sum += mix_bits(of_bins(i) ^
                          mix_bits(bits_of(grade_of(i)) ^ queries.hashes[query]));
        }
        return sum;
      });
  return of_all_ranks(bins, of_rows, host);
}

}  // namespace rankmix::data
