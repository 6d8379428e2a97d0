#include "core/boost/packed_gradients.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/bits.h"
#include "core/base/blocks.h"
#include "core/base/in_order.h"
#include "core/base/prefetch.h"
#include "core/base/random.h"
#include "core/base/simd.h"
#include "core/data/row_marks.h"
#include "core/tree/slots.h"

namespace rankmix::boost {
namespace {

// Sums of rounded numbers rarely exceed the exact sums by more than this fraction.
constexpr double kHeadroom = 63.0 / 64.0;
// Doubling the units soon makes the sums fit, unless the numbers are NaN or infinite.
constexpr int kMaxTries = 8;

// The sums that the fields of a wide number must hold.
struct FieldSums {
  std::int64_t up = 0;
  std::int64_t down = 0;
  std::int64_t hessian = 0;

  FieldSums& operator+=(const FieldSums& other) {
    up += other.up;
    down += other.down;
    hessian += other.hessian;
    return *this;
  }
};

// The arguments of rounding rows. If `counted` is null, all rows count once.
struct Rounding {
  const double* gradients;
  const double* hessians;
  const std::uint32_t* documents;  // the document of each row; null: document = row
  const std::uint32_t* counted;
  const std::uint32_t* marks;
  double gradient_scale;
  double hessian_scale;
  std::uint32_t of_gradients;  // random streams, for gradients and hessians
  std::uint32_t of_hessians;
  PackedBits bits;
  std::uint32_t* channels;
};

// Rows per loop; compilers vectorise such loops.
constexpr std::size_t kAtOnce = 8;
// Rows between prefetching the numbers of a document and using them.
constexpr std::size_t kAhead = 4 * kPrefetchRows;

// The finaliser of MurmurHash3, by Appleby.
RANKMIX_INLINE std::uint32_t mix_small(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

// Multiplies numbers by `scale` and rounds them down or up at random. The probability of
// rounding up is the fractional part, to 31 bits.
RANKMIX_INLINE void round_some(const double* numbers, double scale,
                               const std::uint32_t* marks, std::uint32_t stream,
                               std::int32_t* whole) {
  constexpr double unit = 1.0 / (1U << 31);
  double moved[kAtOnce];
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    whole[k] = static_cast<std::int32_t>(mix_small(marks[k] ^ stream) >> 1);
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    moved[k] = numbers[k] * scale + whole[k] * unit;
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    whole[k] = static_cast<std::int32_t>(moved[k]);  // towards 0
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    whole[k] -= static_cast<std::int32_t>(moved[k] < static_cast<double>(whole[k]));
  }
}

// Copies the gradients and hessians of the documents of `some` rows.
RANKMIX_INLINE void copy_some(const Rounding& how, std::size_t first, std::size_t some,
                              std::size_t end, double* gradients, double* hessians) {
  if (how.documents == nullptr) {
    std::copy_n(how.gradients + first, some, gradients);
    std::copy_n(how.hessians + first, some, hessians);
    return;
  }
  for (std::size_t k = 0; k < some; ++k) {
    const std::uint32_t later = how.documents[std::min(first + k + kAhead, end - 1)];
    prefetch(how.gradients + later);
    prefetch(how.hessians + later);
    gradients[k] = how.gradients[how.documents[first + k]];
    hessians[k] = how.hessians[how.documents[first + k]];
  }
}

RANKMIX_INLINE FieldSums round_rows(const Rounding& how, std::size_t begin,
                                    std::size_t end) {
  std::int64_t up[kAtOnce] = {};
  std::int64_t down[kAtOnce] = {};
  std::int64_t bent[kAtOnce] = {};
  for (std::size_t i = begin; i < end; i += kAtOnce) {
    const std::size_t some = std::min(kAtOnce, end - i);
    double gradients[kAtOnce] = {};
    double hessians[kAtOnce] = {};
    std::uint32_t marks[kAtOnce] = {};
    std::uint64_t packed[kAtOnce] = {};
    copy_some(how, i, some, end, gradients, hessians);
    std::copy_n(how.marks + i, some, marks);
    for (std::size_t k = 0; k < some; ++k) {
      packed[k] = how.counted == nullptr ? 1U : how.counted[i + k];
    }
    std::int32_t gradient[kAtOnce];
    std::int32_t hessian[kAtOnce];
    round_some(gradients, how.gradient_scale, marks, how.of_gradients, gradient);
    round_some(hessians, how.hessian_scale, marks, how.of_hessians, hessian);
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      const std::int64_t wide = gradient[k];
      up[k] += wide > 0 ? wide : 0;
      down[k] -= wide < 0 ? wide : 0;
      bent[k] += hessian[k];
      packed[k] += pack(how.bits, wide, static_cast<std::uint64_t>(hessian[k]), 0);
    }
    std::memcpy(how.channels + 2 * i, packed, some * sizeof(std::uint64_t));
  }
  FieldSums sums;
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    sums += FieldSums{up[k], down[k], bent[k]};
  }
  return sums;
}
FieldSums round_rows_plain(const Rounding& how, std::size_t begin, std::size_t end) {
  return round_rows(how, begin, end);
}
RANKMIX_AVX2 FieldSums round_rows_avx2(const Rounding& how, std::size_t begin,
                                       std::size_t end) {
  return round_rows(how, begin, end);
}

// The smallest unit of at least `min_unit` whose ratio to `largest` is a power of two. If
// all numbers are equal, as hessians often are, they are then rounded exactly.
double unit_below(double min_unit, double largest) {
  return largest > 0.0 ? largest / std::exp2(std::floor(std::log2(largest / min_unit)))
                       : 1.0;
}

}  // namespace

PackedGradients::PackedGradients(const data::BinnedMatrix& bins,
                                 const tree::Counted& counted, Host& host) {
  const std::size_t rows = bins.rows();
  const auto documents =
      static_cast<std::size_t>(tree::sum_of_counts(counted, rows, host));
  bits_.count = std::max(bits_for(documents), 1);  // no other field exceeds 32 bits
  bits_.hessian = (64 - bits_.count) / 2;
  if (bits_.count > kMaxCountBits) {
    return;
  }
  marks_.resize(rows);
  channels_.resize(2 * rows + tree::kMaxLanes, 0U);
  const data::RowMarks mark_of(bins);
  for_each_block(host, rows, RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     marks_[i] = static_cast<std::uint32_t>(mix_bits(mark_of(i)) >> 32);
                   }
                 });
}

void PackedGradients::reorder(View<const std::uint32_t> order, Host& host) {
  if (!marks_.empty()) {
    marks_ = in_order(marks_, order, host);
  }
}

bool PackedGradients::fill(View<const double> gradients, View<const double> hessians,
                           View<const std::uint32_t> documents, const GradientSums& sums,
                           const tree::Counted& counted, std::uint64_t stream,
                           Host& host) {
  if (marks_.empty() || sums.any_curved_down) {
    return false;
  }
  // No sum of gradients is above the sum of the positive gradients, or below the sum of
  // the negative gradients.
  gradient_unit_ = 0.5 * (sums.magnitude + std::abs(sums.gradient)) /
                   (kHeadroom * std::exp2(63 - bits_.below_gradient()));
  hessian_unit_ =
      unit_below(sums.hessian / (kHeadroom * std::exp2(bits_.hessian)), sums.max_hessian);
  for (int tries = 0; tries < kMaxTries; ++tries) {
    if (round_all(gradients, hessians, documents, counted, stream, host)) {
      return true;
    }
    gradient_unit_ *= 2.0;
    hessian_unit_ *= 2.0;
  }
  return false;
}

// Rounds all rows. Returns false if some sum might need more bits than its field has.
bool PackedGradients::round_all(View<const double> gradients, View<const double> hessians,
                                View<const std::uint32_t> documents,
                                const tree::Counted& counted, std::uint64_t stream,
                                Host& host) {
  const Rounding how{gradients.data(),
                     hessians.data(),
                     documents.empty() ? nullptr : documents.data(),
                     counted.empty() ? nullptr : counted.data(),
                     marks_.data(),
                     1.0 / gradient_unit_,
                     1.0 / hessian_unit_,
                     static_cast<std::uint32_t>(stream),
                     static_cast<std::uint32_t>(stream >> 32),
                     bits_,
                     channels_.data()};
  const auto round = has_avx2() ? round_rows_avx2 : round_rows_plain;
  const auto part = sum_over_blocks<FieldSums>(
      host, marks_.size(),
      [&](std::size_t begin, std::size_t end) { return round(how, begin, end); });
  std::int64_t sums[3] = {part.up, part.down, part.hessian};
  host.reducer().add(View<std::int64_t>(sums, 3));
  const auto most = static_cast<std::int64_t>(low_bits(63 - bits_.below_gradient()));
  return sums[0] <= most && sums[1] <= most &&
         sums[2] <= static_cast<std::int64_t>(low_bits(bits_.hessian));
}

}  // namespace rankmix::boost
