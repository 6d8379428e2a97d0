// The sums of one side of a split, as gradient, hessian and number of documents.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/boost/packed_sums.h"
#include "core/boost/variance_score.h"
#include "core/tree/bounds.h"
#include "core/tree/slots.h"

namespace rankmix::boost {

// How the value of a node follows from its sums of channels. The value of a node is sign * G / (H + l2), with G in
// the first channel and H in the second. Wide channels have the layout of packed_sums.h
// if packed.hessian is positive. Otherwise the upper bits have G, and the lower bits a
// count, which is also H.
struct SumMeaning {
  double sign = 1.0;
  double fine_unit = 0.0;  // unit of the third channel relative to the first; 0: none
  double l2 = 0.0;
  double hessian_of_1 = 1.0;      // a hessian of 1, in the unit of H
  std::size_t count_channel = 1;  // channel to which `min_count` applies
  double min_count = 1.0;
  double min_weight = 0.0;  // smallest H on each side
  PackedBits packed;
};

// The numbers of one slot of a histogram.
using SlotSums = std::array<std::uint32_t, 4>;

inline void add_slot_to(const std::uint32_t* slot, std::size_t numbers, bool wide,
                        SlotSums& sums) {
  if (wide) {
    tree::add_slot<1>(slot, sums.data());
    return;
  }
  for (std::size_t l = 0; l < numbers; ++l) {
    sums[l] += slot[l];
  }
}

struct Side {
  double gradient;  // the sign of the gradient is the direction in which the value moves
  double hessian;   // including l2
  double count;

  double value(const tree::Bounds& bounds) const {
    return bounds.nearest(hessian > 0.0 ? gradient / hessian : 0.0);
  }
  // The gain if all rows get this value. The best value has the gain gradient^2 /
  // hessian.
  double gain(double value) const { return (2.0 * gradient - hessian * value) * value; }
};

inline Side side_of(const SumMeaning& meaning, const std::uint32_t* sums, bool wide) {
  if (wide) {
    const std::uint64_t all = tree::read_wide(sums);
    const PackedBits& packed = meaning.packed;
    if (packed.hessian > 0) {
      return {meaning.sign * static_cast<double>(gradient_of(packed, all)),
              static_cast<double>(hessian_of(packed, all)) + meaning.l2,
              static_cast<double>(count_of(packed, all))};
    }
    const auto count = static_cast<double>(count_of(all));
    return {static_cast<double>(residual_of(all)), count, count};
  }
  double gradient = static_cast<std::int32_t>(sums[0]);
  if (meaning.fine_unit > 0.0) {
    gradient += meaning.fine_unit * static_cast<std::int32_t>(sums[2]);
  }
  return {meaning.sign * gradient, static_cast<std::int32_t>(sums[1]) + meaning.l2,
          static_cast<double>(sums[meaning.count_channel])};
}

}  // namespace rankmix::boost
