// Reads the rows of a source of channels, whichever kind it is, as slots of units.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "core/base/prefetch.h"
#include "core/base/simd.h"
#include "core/base/units.h"
#include "core/tree/channels.h"

namespace rankmix::tree {

// Each kind has
//   const Value* at(row) const, where the row begins, and
//   template <int Lanes> void read(row, turned, units) const, which writes all lanes.
template <class Value>
struct UnitRows {
  const Value* values;
  std::size_t channels;

  const Value* at(std::size_t row) const { return values + row * channels; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    for (int l = 0; l < kNumbers<Lanes>; ++l) {
      units[l] = turn(to_units(at(row)[l]), turned);
    }
  }
};

struct FineRows {
  const double* values;
  std::size_t kept;  // half of the channels
  double finer;

  const double* at(std::size_t row) const { return values + row * kept; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    std::fill(units, units + kNumbers<Lanes>, 0U);
    for (std::size_t l = 0; l < kept; ++l) {
      const FineUnits number(at(row)[l] * kUnits, finer);
      units[l] = turn(number.whole, turned);
      units[kept + l] = turn(number.rest, turned);
    }
  }
};

struct FineMagnitudeRows {
  const double* values;
  std::size_t kept;
  double finer;

  const double* at(std::size_t row) const { return values + row * kept; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    constexpr std::size_t half = kNumbers<Lanes> / 2;
    constexpr std::size_t quarter = half / 2;
    std::fill(units, units + kNumbers<Lanes>, 0U);
    for (std::size_t l = 0; l < kept; ++l) {
      const double value = at(row)[l];
      const FineUnits number(value * kUnits, finer);
      const std::uint32_t negative = value < 0.0 ? ~0U : 0U;
      units[l] = turn(number.whole, turned);
      units[quarter + l] = turn(number.whole, negative);
      units[half + l] = turn(number.rest, turned);
      units[half + quarter + l] = turn(number.rest, negative);
    }
  }
};

template <class Value>
class MagnitudeRows {
 public:
  MagnitudeRows(const Value* values, std::size_t kept) : values_(values), kept_(kept) {
    std::fill_n(present_.begin(), kept, ~0U);
  }

  const Value* at(std::size_t row) const { return values_ + row * kept_; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    constexpr int half = kNumbers<Lanes> / 2;
    for (int l = 0; l < half; ++l) {
      const std::uint32_t number =
          to_units(at(row)[l]) & present_[static_cast<std::size_t>(l)];
      units[l] = turn(number, turned);
      units[half + l] = magnitude(number);
    }
  }

 private:
  const Value* values_;
  std::size_t kept_;
  // All bits for each that is kept: whoever asks whether a slot is 0 looks at all lanes.
  std::array<std::uint32_t, kMaxLanes / 2> present_{};
};

// Kinds of rows with the sum of their numbers, of which slots have few lanes.
template <class Value>
class SummedRows {
 public:
  SummedRows(const Value* values, View<const int> signs, bool magnitudes)
      : values_(values), kept_(signs.size()), magnitudes_(magnitudes) {
    for (std::size_t l = 0; l < kept_; ++l) {
      present_[l] = ~0U;
      turned_[l] = signs[l] < 0 ? ~0U : 0U;
    }
  }

  const Value* at(std::size_t row) const { return values_ + row * kept_; }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    std::fill(units, units + kNumbers<Lanes>, 0U);
    units[0] = turn(sum<false>(at(row)), turned);
    if (magnitudes_) {
      units[kNumbers<Lanes> / 2] = sum<true>(at(row));
    }
  }

 private:
  // So many are added at a time, as vectors.
  static constexpr std::size_t kAtOnce = 8;

  // With their signs, or their magnitudes.
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
  std::array<std::uint32_t, kMaxLanes> present_{};  // all bits for each that is kept
  std::array<std::uint32_t, kMaxLanes> turned_{};
};

struct FineSummedRows {
  const double* values;
  View<const int> signs;
  bool magnitudes;
  double finer;

  const double* at(std::size_t row) const { return values + row * signs.size(); }
  template <int Lanes>
  RANKMIX_INLINE void read(std::size_t row, std::uint32_t turned,
                           std::uint32_t* units) const {
    double sum = 0.0;
    double sizes = 0.0;
    for (std::size_t l = 0; l < signs.size(); ++l) {
      sum += signs[l] * at(row)[l];
      sizes += std::abs(at(row)[l]);
    }
    const FineUnits number(sum * kUnits, finer);
    const FineUnits size(sizes * kUnits, finer);
    constexpr int half = kNumbers<Lanes> / 2;
    std::fill(units, units + kNumbers<Lanes>, 0U);
    units[0] = turn(number.whole, turned);
    units[half] = turn(number.rest, turned);
    if (magnitudes) {
      units[half / 2] = size.whole;
      units[half + half / 2] = size.rest;
    }
  }
};

// The i-th row that is picked, as it counts.
template <int Lanes, class Rows>
RANKMIX_INLINE void read_picked(const Rows& rows, const PickedRows& picked, std::size_t i,
                                std::uint32_t* units) {
  const int shift = picked.twice ? 1 : 0;
  const int turned = picked.turned.empty() ? 0 : picked.turned[i];  // all bits or none
  rows.template read<Lanes>(picked.row(i), static_cast<std::uint32_t>(turned), units);
  for (int l = 0; l < kNumbers<Lanes>; ++l) {
    units[l] <<= shift;
  }
}

// Fetches one that is read some rows after the i-th, before the end-th.
template <class Rows>
RANKMIX_INLINE void prefetch_ahead(const Rows& rows, const PickedRows& picked,
                                   std::size_t i, std::size_t end) {
  if (!picked.rows.empty() && i + kPrefetchRows < end) {
    prefetch(rows.at(picked.rows[i + kPrefetchRows]));
  }
}

// Units of the rows that are picked, as they count: they are read by their order.
struct GatheredRows {
  const std::uint32_t* values;
  std::size_t channels;

  const std::uint32_t* at(std::size_t i) const { return values + i * channels; }
};

template <int Lanes>
RANKMIX_INLINE void read_picked(const GatheredRows& rows, const PickedRows&,
                                std::size_t i, std::uint32_t* units) {
  std::copy_n(rows.at(i), kNumbers<Lanes>, units);
}
RANKMIX_INLINE void prefetch_ahead(const GatheredRows&, const PickedRows&, std::size_t,
                                   std::size_t) {}

template <class Value, class Use>
void with_rows_of(const Value* values, const ChannelSource& source, const Use& use) {
  if (source.magnitudes > 0) {
    use(MagnitudeRows<Value>(values, source.magnitudes));
  } else {
    use(UnitRows<Value>{values, source.count});
  }
}

template <class Use>
void with_fine_rows(const double* values, const ChannelSource& source, const Use& use) {
  if (source.magnitudes > 0) {
    use(FineMagnitudeRows{values, source.magnitudes, source.finer});
  } else {
    use(FineRows{values, source.count / 2, source.finer});
  }
}

template <class Use>
void with_summed_rows(const ChannelSource& source, const Use& use) {
  const bool magnitudes = source.magnitudes > 0;
  if (source.finer > 0.0) {
    use(FineSummedRows{std::get<const double*>(source.values), source.signs, magnitudes,
                       source.finer});
    return;
  }
  std::visit(
      [&](const auto* values) {
        using Value = std::decay_t<decltype(*values)>;
        use(SummedRows<Value>(values, source.signs, magnitudes));
      },
      source.values);
}

// Calls use(rows, n) with the rows as they are kept and the lanes of their slots.
template <class Use>
void with_rows(const ChannelSource& source, std::size_t lanes, const Use& use) {
  auto use_rows = [&](const auto& rows) {
    with_lanes(lanes, [&](auto n) { use(rows, n); });
  };
  if (!source.signs.empty()) {
    with_summed_rows(source, [&](const auto& rows) {
      with_few_lanes(lanes, [&](auto n) { use(rows, n); });
    });
  } else if (source.finer > 0.0) {
    with_fine_rows(std::get<const double*>(source.values), source, use_rows);
  } else {
    std::visit([&](const auto* values) { with_rows_of(values, source, use_rows); },
               source.values);
  }
}

// Calls use(rows) with what is ready to be read: gathered, or floats.
template <class Use>
void with_rows(const Channels& channels, const Use& use) {
  if (channels.units != nullptr) {
    use(GatheredRows{channels.units, channels.source.count});
  } else {
    with_rows_of(std::get<const float*>(channels.source.values), channels.source, use);
  }
}

}  // namespace rankmix::tree
