#include "core/boost/confidence.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::boost {

double ConfidenceScore::worth(const std::uint32_t* sums, const std::uint32_t* less,
                              std::size_t half) const {
  double worth = 0.0;
  for (std::size_t l = 0; l < classes_; ++l) {
    const std::uint32_t edge = sums[l] - (less == nullptr ? 0U : less[l]);
    const std::uint32_t weight = sums[half + l] - (less == nullptr ? 0U : less[half + l]);
    const auto g = static_cast<double>(static_cast<std::int32_t>(edge));
    const auto w = static_cast<double>(static_cast<std::int32_t>(weight));
    worth += w - std::sqrt(std::max(0.0, w * w - g * g));
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
  source.count = tree::lanes_for(2 * weights.classes());
  source.finer = 0.0;
  source.magnitudes = weights.classes();
  return source;
}

}  // namespace rankmix::boost
