#include "core/boost/newton_score.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/boost/wide_doubles.h"
#include "core/tree/scan_levels.h"

namespace rankmix::boost {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Without any curvature there is no step.
double worth_of(double g, double h) { return h > 0.0 ? g * g / h : 0.0; }

class NewtonScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kLoss;
  using Lanes = tree::LaneList<4>;

  explicit NewtonScore(const NewtonOptions& options)
      : options_(options), count_channel_(options.fine_unit > 0.0 ? 3 : 2) {}

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    return worth_of(slope(total), curvature(total) + options_.l2);
  }
  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    const std::uint32_t documents = left[count_channel_];
    if (documents < options_.least_documents ||
        total[count_channel_] - documents < options_.least_documents) {
      return kNever;
    }
    const double g = slope(left);
    const double h = curvature(left);
    return worth_of(g, h + options_.l2) +
           worth_of(slope(total) - g, curvature(total) - h + options_.l2);
  }

 private:
  double slope(const std::uint32_t* sums) const {
    const double sum = static_cast<std::int32_t>(sums[0]);
    return options_.fine_unit > 0.0
               ? sum + options_.fine_unit * static_cast<std::int32_t>(sums[2])
               : sum;
  }
  static double curvature(const std::uint32_t* sums) {
    return static_cast<std::int32_t>(sums[1]);
  }

  NewtonOptions options_;
  std::size_t count_channel_;
};

// The parts of a wide number as doubles.
struct Parts {
  double slope;
  double curvature;
  double count;

  RANKMIX_INLINE Parts(const PackedBits& bits, std::uint64_t wide)
      : slope(signed_double(wide, bits.below_slope())),
        curvature(as_double((wide >> bits.count) & low_bits(bits.curvature))),
        count(as_double(wide & low_bits(bits.count))) {}
};

// So many numbers at a time, in loops that compilers turn into vectors.
constexpr std::size_t kAtOnce = tree::kPartedAtOnce;

// Adds what sides with these sums are worth. Without any curvature there is no step.
RANKMIX_INLINE void add_worths(const double* slope, const double* curvature, double l2,
                               double* worth) {
  double over[kAtOnce];
  double square[kAtOnce];
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    over[k] = curvature[k] + l2;
    square[k] = slope[k] * slope[k];
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    square[k] = over[k] > 0.0 ? square[k] : 0.0;
    over[k] = over[k] > 0.0 ? over[k] : 1.0;
  }
  for (std::size_t k = 0; k < kAtOnce; ++k) {
    worth[k] += square[k] / over[k];
  }
}

RANKMIX_INLINE void part(const NewtonOptions& options, const std::uint64_t* left,
                         std::size_t count, std::uint64_t total, double* worth) {
  const PackedBits bits = options.packed;
  const double least = options.least_documents;
  const Parts all(bits, total);
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    double slope[kAtOnce];
    double curvature[kAtOnce];
    double fewer[kAtOnce];
    double both[kAtOnce] = {};
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      slope[k] = signed_double(left[i + k], bits.below_slope());
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      curvature[k] = as_double((left[i + k] >> bits.count) & low_bits(bits.curvature));
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      const double documents = as_double(left[i + k] & low_bits(bits.count));
      const double others = all.count - documents;
      fewer[k] = documents < others ? documents : others;
    }
    add_worths(slope, curvature, options.l2, both);
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      slope[k] = all.slope - slope[k];
      curvature[k] = all.curvature - curvature[k];
    }
    add_worths(slope, curvature, options.l2, both);
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      worth[i + k] = fewer[k] < least ? kNever : both[k];
    }
  }
}
// Whether a part is worth `bar`, by a comparison without a division. Also where it has no
// curvature on a side.
RANKMIX_INLINE bool exceeds(const NewtonOptions& options, const std::uint64_t* left,
                            std::size_t count, std::uint64_t total, double bar) {
  const PackedBits bits = options.packed;
  const double l2 = options.l2;
  const double least = options.least_documents;
  const Parts all(bits, total);
  std::int64_t any[kAtOnce] = {};
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    double square[kAtOnce];
    double over[kAtOnce];
    double fewer[kAtOnce];
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      const std::uint64_t wide = left[i + k];
      const double documents = as_double(wide & low_bits(bits.count));
      const double others = all.count - documents;
      fewer[k] = documents < others ? documents : others;
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      const std::uint64_t wide = left[i + k];
      const double g = signed_double(wide, bits.below_slope());
      const double h = as_double((wide >> bits.count) & low_bits(bits.curvature));
      const double rest = all.slope - g;
      const double left_over = h + l2;
      const double right_over = all.curvature - h + l2;
      square[k] = g * g * right_over + rest * rest * left_over;
      over[k] = left_over * right_over;
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      any[k] |= static_cast<std::int64_t>(square[k] >= bar * over[k]) &
                static_cast<std::int64_t>(fewer[k] >= least);
    }
  }
  // No std::any_of(): see base/simd.h.
  std::int64_t some = 0;
  for (std::int64_t one : any) {
    some |= one;
  }
  return some != 0;
}
RANKMIX_PLAIN bool exceeds_plain(const NewtonOptions& options, const std::uint64_t* left,
                                 std::size_t count, std::uint64_t total, double bar) {
  return exceeds(options, left, count, total, bar);
}
RANKMIX_AVX2 bool exceeds_avx2(const NewtonOptions& options, const std::uint64_t* left,
                               std::size_t count, std::uint64_t total, double bar) {
  return exceeds(options, left, count, total, bar);
}

RANKMIX_PLAIN void part_plain(const NewtonOptions& options, const std::uint64_t* left,
                              std::size_t count, std::uint64_t total, double* worth) {
  part(options, left, count, total, worth);
}
RANKMIX_AVX2 void part_avx2(const NewtonOptions& options, const std::uint64_t* left,
                            std::size_t count, std::uint64_t total, double* worth) {
  part(options, left, count, total, worth);
}

class PackedNewtonScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kLoss;
  using Lanes = tree::LaneList<1>;

  explicit PackedNewtonScore(const NewtonOptions& options) : options_(options) {}

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    const Parts all(options_.packed, tree::read_wide(total));
    return worth_of(all.slope, all.curvature + options_.l2);
  }
  bool may_exceed(const std::uint64_t* left, std::size_t count,
                  const std::uint32_t* total, double bar) const {
    return (has_avx2() ? exceeds_avx2 : exceeds_plain)(options_, left, count,
                                                       tree::read_wide(total), bar);
  }
  void parted_wide(const std::uint64_t* left, std::size_t count,
                   const std::uint32_t* total, double* worth) const {
    (has_avx2() ? part_avx2 : part_plain)(options_, left, count, tree::read_wide(total),
                                          worth);
  }

 private:
  NewtonOptions options_;
};

}  // namespace

std::unique_ptr<tree::LevelFinder> newton_finder(const NewtonOptions& options) {
  if (options.packed.curvature > 0) {
    return std::make_unique<tree::LevelScoreFinder<PackedNewtonScore>>(
        PackedNewtonScore(options));
  }
  return std::make_unique<tree::LevelScoreFinder<NewtonScore>>(NewtonScore(options));
}

}  // namespace rankmix::boost
