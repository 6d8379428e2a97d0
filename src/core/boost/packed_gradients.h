// Gradients, hessians and counts of documents in the wide numbers on which trees are
// grown. A wide number takes half the memory of a slot of 32-bit numbers, and less than
// half the time.
//
// Given:   gradients g_i, hessians h_i >= 0, and how often documents count.
// Result:  for each row a number as in packed_sums.h. The count has as many bits as the
//          number of all documents needs. Gradients and hessians share the other bits:
//          with 240,000 documents, 23 bits each, of which the average gradient uses five.
//          A gradient is rounded up or down to an integer number of units at random, with
//          probabilities that make the rounding unbiased. Hessians are rounded in the
//          same way.
// Random numbers are functions of the bins of a row and of the round, so they depend
// neither on the order of rows nor on threads.
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

// Sums over all documents.
struct GradientSums {
  double gradient = 0.0;
  double magnitude = 0.0;  // sum of the gradients' magnitudes
  double hessian = 0.0;
  double max_hessian = 0.0;      // the largest magnitude
  bool any_curved_down = false;  // whether any hessian is negative
};

class PackedGradients {
 public:
  // With more bits for the count, too few are left for gradients.
  static constexpr int kMaxCountBits = 21;

  // `counted` has how often each document counts. Empty: each document counts once.
  PackedGradients(const data::BinnedMatrix& bins, const tree::Counted& counted,
                  Host& host);

  // Computes the channels of all rows. Returns false if the numbers do not fit, or a
  // hessian is negative. Gradients and hessians are of documents; documents[i] is the
  // document of row i, or `documents` is empty if they are the same. `stream` is the
  // random stream of the round.
  bool fill(View<const double> gradients, View<const double> hessians,
            View<const std::uint32_t> documents, const GradientSums& sums,
            const tree::Counted& counted, std::uint64_t stream, Host& host);
  // Moves row order[i] to position i.
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
  std::vector<std::uint32_t> marks_;  // hashes of the bins of rows
  std::vector<std::uint32_t> channels_;
  double gradient_unit_ = 1.0;
  double hessian_unit_ = 1.0;
};

}  // namespace rankmix::boost
