#include "core/boost/edge_score.h"

#include <array>
#include <cmath>

#include "core/base/units.h"
#include "core/tree/scan.h"

namespace rankmix::boost {
namespace {

class EdgeScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kEdge;
  using Lanes = tree::LaneList<2, 4, 8, 16, 24, 32>;

  explicit EdgeScore(std::size_t channels) {
    for (std::size_t l = 0; l < channels; ++l) {
      mask_[l] = ~std::int32_t{0};
    }
  }

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      edge += masked(total[l], l);
    }
    return edge;
  }

  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    std::int32_t edge = 0;
    for (int l = 0; l < Lanes; ++l) {
      // left - (total - left)
      edge += masked(2 * left[l] - total[l], l);
    }
    return edge;
  }

 private:
  // Spare lanes have arbitrary bits, which are masked.
  std::int32_t masked(std::uint32_t bits, int lane) const {
    return static_cast<std::int32_t>(magnitude(bits)) &
           mask_[static_cast<std::size_t>(lane)];
  }

  std::array<std::int32_t, tree::kMaxLanes> mask_{};
};

// Like EdgeScore, for data with finer channels.
class FineEdgeScore {
 public:
  static constexpr tree::ScoreKind kScoreKind = tree::ScoreKind::kEdge;
  using Lanes = tree::LaneList<2, 4, 8, 16, 24, 32>;

  FineEdgeScore(std::size_t channels, double fine_unit)
      : channels_(channels), fine_unit_(fine_unit) {}

  template <int Lanes>
  double node_score(const std::uint32_t* total) const {
    double edge = 0.0;
    for (std::size_t l = 0; l < channels_; ++l) {
      edge += std::abs(sum_of_channel(total, l, channels_, fine_unit_));
    }
    return edge;
  }

  template <int Lanes>
  double split_score(const std::uint32_t* left, const std::uint32_t* total) const {
    double edge = 0.0;
    for (std::size_t l = 0; l < channels_; ++l) {
      edge += std::abs(2.0 * sum_of_channel(left, l, channels_, fine_unit_) -
                       sum_of_channel(total, l, channels_, fine_unit_));
    }
    return edge;
  }

 private:
  std::size_t channels_;
  double fine_unit_;
};

}  // namespace

std::unique_ptr<tree::SplitFinder> edge_finder(const tree::ChannelSource& source,
                                               std::size_t channels) {
  if (source.fine_unit > 0.0) {
    return std::make_unique<tree::ScoreFinder<FineEdgeScore>>(
        FineEdgeScore(channels, source.fine_unit));
  }
  return std::make_unique<tree::ScoreFinder<EdgeScore>>(EdgeScore(channels));
}

}  // namespace rankmix::boost
