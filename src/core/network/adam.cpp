#include "core/network/adam.h"

#include <cmath>

namespace rankmix::network {

void Adam::move(View<const double> gradient, double learning_rate,
                View<const double> decays, View<double> numbers) {
  constexpr double keep_mean = 0.9;
  constexpr double keep_square = 0.999;
  constexpr double least = 1e-8;
  mean_power_ *= keep_mean;
  square_power_ *= keep_square;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double g = gradient[i];
    means_[i] = keep_mean * means_[i] + (1.0 - keep_mean) * g;
    squares_[i] = keep_square * squares_[i] + (1.0 - keep_square) * g * g;
    const double size = std::sqrt(squares_[i] / (1.0 - square_power_)) + least;
    numbers[i] -=
        learning_rate * (means_[i] / (1.0 - mean_power_) / size + decays[i] * numbers[i]);
  }
}

}  // namespace rankmix::network
