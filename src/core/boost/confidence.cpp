#include "core/boost/confidence.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::boost {

// From 2 W+ = W + G and 2 W- = W - G, both taken from whole numbers: where one of them is
// 0, it is exactly that, as the root would make much of a rounding error.
double ConfidenceScore::worth(const std::uint32_t* sums, const std::uint32_t* less,
                              std::size_t lanes) const {
  const bool fine = fine_unit_ > 0.0;
  const std::size_t to_weights = lanes / (fine ? 4 : 2);
  const auto sum = [&](std::size_t lane) -> std::int64_t {
    return static_cast<std::int32_t>(sums[lane] - (less == nullptr ? 0U : less[lane]));
  };
  double worth = 0.0;
  for (std::size_t l = 0; l < classes_; ++l) {
    const std::int64_t g = sum(l);
    const std::int64_t w = sum(to_weights + l);
    auto plus = static_cast<double>(w + g);
    auto minus = static_cast<double>(w - g);
    if (fine) {
      const std::int64_t fine_g = sum(2 * to_weights + l);
      const std::int64_t fine_w = sum(3 * to_weights + l);
      plus += fine_unit_ * static_cast<double>(fine_w + fine_g);
      minus += fine_unit_ * static_cast<double>(fine_w - fine_g);
    }
    worth += (plus + minus) / 2.0 - std::sqrt(std::max(0.0, plus * minus));
  }
  return worth;
}

ScaledVotes confidence_votes(const std::vector<double>& class_sums, double smoothing) {
  ScaledVotes scaled{Votes(class_sums.size() / 2), 0.0};
  for (std::size_t i = 0; i < scaled.votes.size(); ++i) {
    const double vote = 0.5 * std::log((class_sums[2 * i] + smoothing) /
                                       (class_sums[2 * i + 1] + smoothing));
    scaled.votes[i] = vote;
    scaled.alpha = std::max(scaled.alpha, std::abs(vote));
  }
  if (scaled.alpha > 0.0) {
    for (double& vote : scaled.votes) {
      vote /= scaled.alpha;
    }
  }
  return scaled;
}

tree::ChannelSource confidence_channels(const Weights& weights) {
  if (2 * weights.classes() > tree::kMaxLanes) {
    throw InvalidArgument("confidence-rated votes need at most 16 grades");
  }
  tree::ChannelSource source = weights.channels();
  source.magnitudes = weights.classes();
  if (4 * weights.classes() > tree::kMaxLanes) {
    source.finer = 0.0;
  }
  source.count = tree::lanes_for((source.finer > 0.0 ? 4 : 2) * weights.classes());
  return source;
}

}  // namespace rankmix::boost
