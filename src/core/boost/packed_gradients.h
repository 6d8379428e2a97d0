// Gradients, hessians and counts of documents as the wide numbers that trees are grown
// on: half the memory of a number of 32 bits each, and less than half the time.
//
// Given:   gradients g_i, hessians h_i >= 0, and which documents count.
// Result:  for each row a number as in packed_sums.h. The count has as many bits as all
//          documents need, gradients and hessians share the others: of 240,000 documents
//          23 bits each, so that the average one has five. A gradient is rounded up or
//          down to a whole number of units, at random, with the chance that makes its
//          mean exact; so are hessians.
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
struct GradientSums {
  double gradient = 0.0;
  double magnitude = 0.0;  // of the gradients' magnitudes
  double hessian = 0.0;
  double max_hessian = 0.0;      // the largest magnitude
  bool any_curved_down = false;  // a negative hessian
};

class PackedGradients {
 public:
  // More documents leave too few bits for gradients.
  static constexpr int kMaxCountBits = 21;

  // `counted` is how often each document counts; empty: once.
  PackedGradients(const data::BinnedMatrix& bins, const tree::Counted& counted,
                  Host& host);

  // False where the numbers do not fit, or a hessian is negative. Gradients and hessians
  // are those of documents; `documents` has that of each row, or is empty where they are
  // the same. `stream` is that of the round.
  bool fill(View<const double> gradients, View<const double> hessians,
            View<const std::uint32_t> documents, const GradientSums& sums,
            const tree::Counted& counted, std::uint64_t stream, Host& host);
  // Row i is from now on what row order[i] was.
  void reorder(View<const std::uint32_t> order, Host& host);
  tree::ChannelSource channels() const { return tree::wide_channels(channels_.data()); }
  const PackedBits& bits() const { return bits_; }
  double gradient_unit() const { return gradient_unit_; }
  double hessian_unit() const { return hessian_unit_; }

 private:
  bool round_all(View<const double> gradients, View<const double> hessians,
                 View<const std::uint32_t> documents, const tree::Counted& counted,
                 std::uint64_t stream, Host& host);

  PackedBits bits_;
  std::vector<std::uint32_t> marks_;  // of rows, by their bins
  std::vector<std::uint32_t> channels_;
  double gradient_unit_ = 1.0;
  double hessian_unit_ = 1.0;
};

}  // namespace rankmix::boost
