// Faster convergence of expectation-maximisation by squared extrapolation.
//
// Two steps from x0 give x1 and x2. With r = x1 - x0 and v = (x2 - x1) - r, the parameters
// move to x0 - 2 s r + s^2 v with s = -|r| / |v|, at most -1. With s = -1 they move to
// x2. Norms use only the parameters of positions, because there are few of them and their
// order is fixed. A parameter that would leave (0, 1) gets its value in x2. A plain step
// follows each extrapolation. Extrapolation does not change the fixed points.
//
// Varadhan and Roland (2008), doi:10.1111/j.1467-9469.2007.00585.x, scheme S3.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rankmix::click {

class Acceleration {
 public:
  using Parts = std::vector<std::vector<double>*>;

  // `parts`: all parameters. The parameters of positions come first.
  Acceleration(Parts parts, bool active) : parts_(std::move(parts)), active_(active) {}

  void before_step() {
    if (active_ && step_ < 2) {
      copy_to(step_ == 0 ? first_ : second_);
    }
  }

  void after_step() {
    if (active_ && step_ == 1) {
      extrapolate();
    }
    step_ = (step_ + 1) % 3;
  }

  // Whether the next step starts from parameters that were extrapolated. The change in
  // such a step does not show convergence.
  bool extrapolated() const { return active_ && step_ == 2; }

 private:
  using Saved = std::vector<std::vector<double>>;

  void copy_to(Saved& saved) const {
    saved.resize(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      saved[i] = *parts_[i];
    }
  }

  void extrapolate() {
    const double s = step_length();
    if (s >= -1.0) {
      return;
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = 0; j < parts_[i]->size(); ++j) {
        double& x = (*parts_[i])[j];
        const double r = second_[i][j] - first_[i][j];
        const double v = (x - second_[i][j]) - r;
        const double moved = first_[i][j] - 2.0 * s * r + s * s * v;
        x = moved > 0.0 && moved < 1.0 ? moved : x;
      }
    }
  }

  double step_length() {
    double rr = 0.0;
    double vv = 0.0;
    for (std::size_t j = 0; j < parts_[0]->size(); ++j) {
      const double r = second_[0][j] - first_[0][j];
      const double v = ((*parts_[0])[j] - second_[0][j]) - r;
      rr += r * r;
      vv += v * v;
    }
    if (!(vv > 0.0)) {
      return -1.0;
    }
    const double s = -std::sqrt(rr / vv);
    if (s > -longest_) {
      return s;
    }
    longest_ *= 4.0;
    return -longest_ / 4.0;
  }

  Parts parts_;
  bool active_;
  int step_ = 0;
  double longest_ = 4.0;
  Saved first_;
  Saved second_;
};

}  // namespace rankmix::click
