#include "core/boost/newton_score.h"

#include <cstdint>
#include <limits>

#include "core/tree/scan_levels.h"

namespace rankmix::boost {
namespace {

class NewtonScore {
 public:
  static constexpr tree::Worth kWorth = tree::Worth::kLoss;
  using Lanes = tree::LaneList<4>;

  explicit NewtonScore(const NewtonOptions& options)
      : options_(options), count_channel_(options.fine_unit > 0.0 ? 3 : 2) {}

  template <int Lanes>
  double whole(const std::uint32_t* total) const {
    return worth(slope(total), curvature(total));
  }
  template <int Lanes>
  double parted(const std::uint32_t* left, const std::uint32_t* total) const {
    const std::uint32_t documents = left[count_channel_];
    if (documents < options_.least_documents ||
        total[count_channel_] - documents < options_.least_documents) {
      return -std::numeric_limits<double>::infinity();
    }
    const double g = slope(left);
    const double h = curvature(left);
    return worth(g, h) + worth(slope(total) - g, curvature(total) - h);
  }

 private:
  // Without any curvature there is no step.
  double worth(double g, double h) const {
    return h + options_.l2 > 0.0 ? g * g / (h + options_.l2) : 0.0;
  }
  double slope(const std::uint32_t* sums) const {
    const double sum = static_cast<std::int32_t>(sums[0]);
    return options_.fine_unit > 0.0
               ? sum + options_.fine_unit * static_cast<std::int32_t>(sums[2])
               : sum;
  }
  static double curvature(const std::uint32_t* sums) {
    return static_cast<std::int32_t>(sums[1]);
  }

  NewtonOptions options_;
  std::size_t count_channel_;
};

}  // namespace

std::unique_ptr<tree::LevelFinder> newton_finder(const NewtonOptions& options) {
  return std::make_unique<tree::LevelScoreFinder<NewtonScore>>(NewtonScore(options));
}

}  // namespace rankmix::boost
