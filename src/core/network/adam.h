// Adam with decoupled weight decay. Each number changes by about the learning rate,
// against the direction of its recent gradients.
//
//   m = b1 m + (1 - b1) g            v = b2 v + (1 - b2) g^2
//   w = w - learning_rate (m' / (sqrt(v') + least) + decay w)
//
// with gradients g, m' = m / (1 - b1^t) and v' = v / (1 - b2^t) after t steps, b1 = 0.9,
// b2 = 0.999, least = 1e-8.
//
// Source: Kingma & Ba 2015, arXiv 1412.6980; decay: Loshchilov & Hutter 2019, arXiv
// 1711.05101.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::network {

class Adam {
 public:
  explicit Adam(std::size_t numbers) : means_(numbers, 0.0), squares_(numbers, 0.0) {}
  // Takes one step. `decays` has the weight decay of each number.
  void move(View<const double> gradient, double learning_rate, View<const double> decays,
            View<double> numbers);

 private:
  std::vector<double> means_;
  std::vector<double> squares_;
  double mean_power_ = 1.0;  // b1^t
  double square_power_ = 1.0;
};

}  // namespace rankmix::network
