// Slopes, curvatures and counts of documents as the wide numbers that trees are grown on:
// half the room of a number of 32 bits each, and less than half the time.
//
// Given:   slopes g_i, curvatures h_i >= 0, and which documents count.
// Result:  for each row a number as in packed_sums.h. The count has as many bits as all
//          documents need, slopes and curvatures share the others: of 240,000 documents
//          23 bits each, so that the average one has five. A slope is rounded up or down
//          to a whole number of units, at random, with the chance that makes its mean
//          exact; so are curvatures.
// Chances are drawn by what the bins of a row are and by the round: rows may stand in any
// order, and on any number of threads it is the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/packed_sums.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/documents.h"

namespace rankmix::boost {

// Of all documents.
struct SlopeSums {
  double slope = 0.0;
  double magnitude = 0.0;  // of the slopes' magnitudes
  double curvature = 0.0;
  double most_curvature = 0.0;   // the largest magnitude
  bool any_curved_down = false;  // a negative curvature
};

class PackedSlopes {
 public:
  // More documents leave too few bits for slopes.
  static constexpr int kMostCountBits = 21;

  // `counted` is how often each document counts; empty: once.
  PackedSlopes(const data::BinnedMatrix& bins, const tree::Counted& counted, Host& host);

  // False where there is no room for the numbers, or a curvature is negative. Slopes and
  // curvatures are those of documents; `documents` has that of each row, or is empty
  // where they are the same. `stream` is that of the round.
  bool fill(View<const double> slopes, View<const double> curvatures,
            View<const std::uint32_t> documents, const SlopeSums& sums,
            const tree::Counted& counted, std::uint64_t stream, Host& host);
  // Row i is from now on what row order[i] was.
  void reorder(View<const std::uint32_t> order, Host& host);
  tree::ChannelSource channels() const { return tree::wide_channels(channels_.data()); }
  const PackedBits& bits() const { return bits_; }
  double slope_unit() const { return slope_unit_; }
  double curvature_unit() const { return curvature_unit_; }

 private:
  bool round_all(View<const double> slopes, View<const double> curvatures,
                 View<const std::uint32_t> documents, const tree::Counted& counted,
                 std::uint64_t stream, Host& host);

  PackedBits bits_;
  std::vector<std::uint32_t> marks_;  // of rows, by their bins
  std::vector<std::uint32_t> channels_;
  double slope_unit_ = 1.0;
  double curvature_unit_ = 1.0;
};

}  // namespace rankmix::boost
