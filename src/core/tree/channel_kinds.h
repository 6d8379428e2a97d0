// The kinds of channels: the form in which a booster stores the numbers of a row, and the
// fixed-point numbers that a histogram slot gets from them.
//
// Each kind has
//   const Value* at(row) const, the address of the row's first number;
//   template <int Lanes> void read(row, negated, units) const, which writes all lanes of
//     a slot in units of 2^-30, the signed ones negated if all bits of `negated` are set;
//   Lanes, the numbers of lanes that its slots may have. Code for other numbers of lanes
//   is not compiled.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "core/base/simd.h"
#include "core/base/units.h"
#include "core/base/views.h"
#include "core/tree/slots.h"

namespace rankmix::tree {

// One number of 64 bits.
struct WideRows {
  using Lanes = LaneList<1>;
  const std::uint32_t* values;

  const std::uint32_t* at(std::size_t row) const { return values + row * 2; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t, std::uint32_t* units) const {
    std::copy_n(at(row), kNumbers<Lanes>, units);
  }
};

// Numbers that are stored in units.
struct UnitRows {
  using Lanes = LaneList<2, 4>;
  const std::uint32_t* values;
  std::size_t channels;

  const std::uint32_t* at(std::size_t row) const { return values + row * channels; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    for (int l = 0; l < Lanes; ++l) {
      units[l] = turn(at(row)[l], negated);
    }
  }
};

// Lanes of real channels. Doubles usually have finer channels, too, with or without
// magnitudes (FineRows, FineMagnitudeRows). Doubles have no finer channels only if the
// slot would be too small for them.
template <class Value>
struct RealLanes;
template <>
struct RealLanes<float> {
  using Plain = LaneList<2, 4, 8, 16, 24, 32>;
  using WithMagnitudes = LaneList<4, 8, 16, 24, 32>;
};
template <>
struct RealLanes<double> {
  using Plain = LaneList<24, 32>;
  using WithMagnitudes = LaneList<24, 32>;
};

// Real numbers, which are rounded to units when they are read.
template <class Value>
struct RealRows {
  using Lanes = typename RealLanes<Value>::Plain;
  const Value* values;
  std::size_t channels;

  const Value* at(std::size_t row) const { return values + row * channels; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    for (int l = 0; l < Lanes; ++l) {
      units[l] = turn(to_units(at(row)[l]), negated);
    }
  }
};

// Doubles, followed by the rounding error of each, in units that are smaller by the
// factor `finer`.
struct FineRows {
  using Lanes = LaneList<4, 8, 16, 24, 32>;
  const double* values;
  std::size_t kept;
  double finer;

  const double* at(std::size_t row) const { return values + row * kept; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    std::fill(units, units + Lanes, 0U);
    for (std::size_t l = 0; l < kept; ++l) {
      const FineUnits number(at(row)[l] * kUnits, finer);
      units[l] = turn(number.whole, negated);
      units[kept + l] = turn(number.rest, negated);
    }
  }
};

// Real numbers in the first half of a slot, and their magnitudes in the second half.
template <class Value>
class MagnitudeRows {
 public:
  using Lanes = typename RealLanes<Value>::WithMagnitudes;
  MagnitudeRows(const Value* values, std::size_t kept) : values_(values), kept_(kept) {
    std::fill_n(present_.begin(), kept, ~0U);
  }

  const Value* at(std::size_t row) const { return values_ + row * kept_; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    constexpr int half = Lanes / 2;
    for (int l = 0; l < half; ++l) {
      const std::uint32_t number =
          to_units(at(row)[l]) & present_[static_cast<std::size_t>(l)];
      units[l] = turn(number, negated);
      units[half + l] = magnitude(number);
    }
  }

 private:
  const Value* values_;
  std::size_t kept_;
  // All bits are set for each lane that is kept. Other lanes must be 0, because code that
  // tests whether a slot is 0 reads all of them.
  std::array<std::uint32_t, kMaxLanes / 2> present_{};
};

// Doubles and their magnitudes, as above, in the first half of a slot, and the rounding
// errors of both in the second half.
struct FineMagnitudeRows {
  using Lanes = LaneList<8, 16, 24, 32>;
  const double* values;
  std::size_t kept;
  double finer;

  const double* at(std::size_t row) const { return values + row * kept; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    constexpr std::size_t half = Lanes / 2;
    constexpr std::size_t quarter = half / 2;
    std::fill(units, units + Lanes, 0U);
    for (std::size_t l = 0; l < kept; ++l) {
      const double value = at(row)[l];
      const FineUnits number(value * kUnits, finer);
      const std::uint32_t negative = value < 0.0 ? ~0U : 0U;
      units[l] = turn(number.whole, negated);
      units[quarter + l] = turn(number.whole, negative);
      units[half + l] = turn(number.rest, negated);
      units[half + quarter + l] = turn(number.rest, negative);
    }
  }
};

// The sum of a row's real numbers, each times its sign, and, if `magnitudes`, the sum of
// their magnitudes.
template <class Value>
class SummedRows {
 public:
  using Lanes = LaneList<2>;
  SummedRows(const Value* values, View<const int> signs, bool magnitudes)
      : values_(values), kept_(signs.size()), magnitudes_(magnitudes) {
    for (std::size_t l = 0; l < kept_; ++l) {
      present_[l] = ~0U;
      turned_[l] = signs[l] < 0 ? ~0U : 0U;
    }
  }

  const Value* at(std::size_t row) const { return values_ + row * kept_; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    units[0] = turn(sum<false>(at(row)), negated);
    units[1] = magnitudes_ ? sum<true>(at(row)) : 0U;
  }

 private:
  // Numbers that are added at a time, in vector registers.
  static constexpr std::size_t kAtOnce = 8;

  // The sum of the numbers times their signs, or of their magnitudes.
  template <bool Magnitudes>
  RANKMIX_INLINE std::uint32_t sum(const Value* numbers) const {
    std::uint32_t sums[kAtOnce] = {};
    for (std::size_t first = 0; first < kept_; first += kAtOnce) {
      for (std::size_t l = 0; l < kAtOnce; ++l) {
        const std::uint32_t number = to_units(numbers[first + l]) & present_[first + l];
        sums[l] += Magnitudes ? magnitude(number) : turn(number, turned_[first + l]);
      }
    }
    std::uint32_t all = 0;
    for (std::uint32_t some : sums) {
      all += some;
    }
    return all;
  }

  const Value* values_;
  std::size_t kept_;
  bool magnitudes_;
  std::array<std::uint32_t, kMaxLanes> present_{};  // all bits set if it is kept
  std::array<std::uint32_t, kMaxLanes> turned_{};
};

// Like SummedRows, for doubles. The second half of a slot has the rounding errors of the
// sums.
struct FineSummedRows {
  using Lanes = LaneList<2, 4>;
  const double* values;
  View<const int> signs;
  bool magnitudes;
  double finer;

  const double* at(std::size_t row) const { return values + row * signs.size(); }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t negated,
                           std::uint32_t* units) const {
    double sum = 0.0;
    double sizes = 0.0;
    for (std::size_t l = 0; l < signs.size(); ++l) {
      sum += signs[l] * at(row)[l];
      sizes += std::abs(at(row)[l]);
    }
    const FineUnits number(sum * kUnits, finer);
    const FineUnits size(sizes * kUnits, finer);
    constexpr int half = Lanes / 2;
    std::fill(units, units + Lanes, 0U);
    units[0] = turn(number.whole, negated);
    units[half] = turn(number.rest, negated);
    if (magnitudes) {
      units[half / 2] = size.whole;
      units[half + half / 2] = size.rest;
    }
  }
};

using ChannelKind =
    std::variant<WideRows, UnitRows, RealRows<float>, RealRows<double>, FineRows,
                 MagnitudeRows<float>, MagnitudeRows<double>, FineMagnitudeRows,
                 SummedRows<float>, SummedRows<double>, FineSummedRows>;

}  // namespace rankmix::tree
