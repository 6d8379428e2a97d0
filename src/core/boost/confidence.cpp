#include "core/boost/confidence.h"

#include <algorithm>
#include <cmath>

#include "core/tree/scan.h"

namespace rankmix::boost {
namespace {

class ConfidenceScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kLoss;
  using Lanes = tree::LaneList<2, 4, 8, 16, 24, 32>;

  // `source` gives the layout of the channels.
  ConfidenceScore(const tree::ChannelSource& source, std::size_t classes)
      : classes_(classes), fine_unit_(source.fine_unit) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    return score(total, nullptr, Lanes);
  }
  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    return score(left, nullptr, Lanes) + score(total, left, Lanes);
  }

 private:
  // The score of `sums` minus `less`, which may be null.
  double score(const std::uint32_t* sums, const std::uint32_t* less,
               std::size_t lanes) const;

  std::size_t classes_;
  double fine_unit_;  // 0 if there are no finer channels
};

// Uses 2 W+ = W + G and 2 W- = W - G. Both are sums of integers: if W+ or W- is 0, it is
// exactly 0. The square root would magnify a rounding error.
double ConfidenceScore::score(const std::uint32_t* sums, const std::uint32_t* less,
                              std::size_t lanes) const {
  const bool fine = fine_unit_ > 0.0;
  const std::size_t to_weights = lanes / (fine ? 4 : 2);
  const auto sum = [&](std::size_t lane) -> std::int64_t {
    return static_cast<std::int32_t>(sums[lane] - (less == nullptr ? 0U : less[lane]));
  };
  double score = 0.0;
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
    score += (plus + minus) / 2.0 - std::sqrt(std::max(0.0, plus * minus));
  }
  return score;
}

}  // namespace

std::unique_ptr<tree::SplitFinder> confidence_finder(const tree::ChannelSource& source,
                                                     std::size_t classes) {
  return std::make_unique<tree::ScoreFinder<ConfidenceScore>>(
      ConfidenceScore(source, classes));
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

}  // namespace rankmix::boost
