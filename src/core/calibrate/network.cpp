#include "core/calibrate/network.h"

#include <algorithm>
#include <cmath>

#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kUnits = 5;
constexpr std::size_t kMaxDocuments = 8192;
constexpr std::size_t kMaxSteps = 50;
constexpr double kEnough = 1e-5;  // minimum relative decrease of the objective
constexpr std::size_t kRows = 256;

// Documents that are computed together. Rows are padded to a multiple of this number.
constexpr std::size_t kWide = 8;
std::size_t filled_up(std::size_t rows) { return (rows + kWide - 1) / kWide * kWide; }

// Replaces kWide numbers u by 1 / (1 + exp(-u)).
RANKMIX_INLINE void logistic_of(double* u) {
  double e[kWide];
  for (std::size_t i = 0; i < kWide; ++i) {
    e[i] = u[i] < 0.0 ? u[i] : -u[i];
  }
  exp_in_place<kWide>(e);
  for (std::size_t i = 0; i < kWide; ++i) {
    u[i] = (u[i] < 0.0 ? e[i] : 1.0) / (1.0 + e[i]);
  }
}

// Activations of the hidden units, rows x units, for standardised inputs, rows x inputs.
// `hidden` is (1 + inputs) x units, as in Network.
RANKMIX_INLINE void find_units(const double* x, std::size_t inputs, std::size_t rows,
                               const double* hidden, std::size_t units, double* out) {
  for (std::size_t h = 0; h < units; ++h) {
    const double* weights = hidden + h * (inputs + 1);
    for (std::size_t first = 0; first < rows; first += kWide) {
      double u[kWide];
      for (std::size_t i = 0; i < kWide; ++i) {
        u[i] = weights[0];
      }
      for (std::size_t k = 0; k < inputs; ++k) {
        const double* inputs_of = x + k * rows + first;
        for (std::size_t i = 0; i < kWide; ++i) {
          u[i] += weights[k + 1] * inputs_of[i];
        }
      }
      logistic_of(u);
      std::copy(u, u + kWide, out + h * rows + first);
    }
  }
}
void units_plain(const double* x, std::size_t inputs, std::size_t rows,
                 const double* hidden, std::size_t units, double* out) {
  find_units(x, inputs, rows, hidden, units, out);
}
RANKMIX_AVX2 void units_avx2(const double* x, std::size_t inputs, std::size_t rows,
                             const double* hidden, std::size_t units, double* out) {
  find_units(x, inputs, rows, hidden, units, out);
}
void units_of(const double* x, std::size_t inputs, std::size_t rows, const double* hidden,
              std::size_t units, double* out) {
  (has_avx2() ? units_avx2 : units_plain)(x, inputs, rows, hidden, units, out);
}

// The penalised sum of squares and the linear system of a Gauss-Newton step.
class Problem {
 public:
  Problem(const HeldOut& held, View<const double> targets, const StandardScale& scale,
          double size, double decay)
      : inputs_(held.f.cols()), decay_(decay) {
    const std::vector<std::size_t> rows = regular_sample(held, targets, kMaxDocuments);
    rows_ = rows.size();
    x_.resize(rows_ * inputs_);
    for (std::size_t k = 0; k < inputs_; ++k) {
      for (std::size_t i = 0; i < rows_; ++i) {
        x_[k * rows_ + i] = scale.of(held.f, rows[i], k);
      }
    }
    for (const std::size_t row : rows) {
      y_.push_back(targets[row] / size);
      root_.push_back(std::sqrt(held.weight(row)));
    }
  }

  std::size_t unknowns() const { return (inputs_ + 2) * kUnits + 1; }

  double value(const std::vector<double>& theta) const {
    double sum = penalty(theta);
    for_blocks(theta, [&](std::size_t, std::size_t count, const double*, const double*,
                          const double* residual) {
      for (std::size_t i = 0; i < count; ++i) {
        sum += residual[i] * residual[i];
      }
    });
    return sum;
  }

  // `gram`: the lower triangle of J'J + decay I, where J is the Jacobian of the weighted
  // residuals. `downhill`: minus half the gradient.
  void system(const std::vector<double>& theta, std::vector<double>& gram,
              std::vector<double>& downhill) const {
    const std::size_t size = unknowns();
    gram.assign(size * size, 0.0);
    downhill.assign(size, 0.0);
    std::vector<double> jacobian(std::min(kRows, rows_) * size);
    for_blocks(theta, [&](std::size_t first, std::size_t count, const double* x,
                          const double* units, const double* residual) {
      fill_jacobian(theta, first, count, x, units, jacobian.data());
      dense::add_gram({jacobian.data(), count, size}, gram.data());
      for (std::size_t j = 0; j < size; ++j) {
        const double* column = jacobian.data() + j * count;
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
          sum += column[i] * residual[i];
        }
        downhill[j] += sum;
      }
    });
    for (std::size_t j = 0; j < size; ++j) {
      gram[j * size + j] += decay_;
      downhill[j] -= decay_ * theta[j];
    }
  }

 private:
  double penalty(const std::vector<double>& theta) const {
    double squares = 0.0;
    for (const double weight : theta) {
      squares += weight * weight;
    }
    return decay_ * squares;
  }

  // Calls use(first, count, x, units, residuals) for blocks of at most kRows rows.
  // Residuals are multiplied by the square roots of the weights.
  template <class Use>
  void for_blocks(const std::vector<double>& theta, const Use& use) const {
    std::vector<double> x(kRows * inputs_, 0.0);
    std::vector<double> units(kRows * kUnits);
    std::vector<double> residual(kRows);
    const double* output = theta.data() + (inputs_ + 1) * kUnits;
    for (std::size_t first = 0; first < rows_; first += kRows) {
      const std::size_t count = std::min(kRows, rows_ - first);
      const std::size_t filled = filled_up(count);
      for (std::size_t k = 0; k < inputs_; ++k) {
        std::copy_n(x_.data() + k * rows_ + first, count, x.data() + k * filled);
      }
      units_of(x.data(), inputs_, filled, theta.data(), kUnits, units.data());
      for (std::size_t i = 0; i < count; ++i) {
        double value = output[0];
        for (std::size_t h = 0; h < kUnits; ++h) {
          value += output[h + 1] * units[h * filled + i];
        }
        residual[i] = root_[first + i] * (y_[first + i] - value);
      }
      use(first, count, x.data(), units.data(), residual.data());
    }
  }

  void fill_jacobian(const std::vector<double>& theta, std::size_t first,
                     std::size_t count, const double* x, const double* units,
                     double* out) const {
    const double* output = theta.data() + (inputs_ + 1) * kUnits;
    double* of_output = out + (inputs_ + 1) * kUnits * count;
    const double* root = root_.data() + first;
    const std::size_t filled = filled_up(count);
    std::copy_n(root, count, of_output);
    for (std::size_t h = 0; h < kUnits; ++h) {
      const double* s = units + h * filled;
      double* intercept = out + h * (inputs_ + 1) * count;
      for (std::size_t i = 0; i < count; ++i) {
        of_output[(h + 1) * count + i] = root[i] * s[i];
        intercept[i] = root[i] * output[h + 1] * s[i] * (1.0 - s[i]);
      }
      for (std::size_t k = 0; k < inputs_; ++k) {
        for (std::size_t i = 0; i < count; ++i) {
          intercept[(k + 1) * count + i] = intercept[i] * x[k * filled + i];
        }
      }
    }
  }

  std::size_t inputs_;
  double decay_;
  std::size_t rows_ = 0;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> root_;  // square roots of the weights
};

// Levenberg-Marquardt: a step is kept only if it lowers the objective. Returns whether
// training converged.
bool minimise(const Problem& problem, std::vector<double>& theta) {
  const std::size_t size = theta.size();
  double value = problem.value(theta);
  double damping = 1e-2;
  double raise = 2.0;
  std::vector<double> gram;
  std::vector<double> downhill;
  problem.system(theta, gram, downhill);
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    std::vector<double> damped = gram;
    for (std::size_t j = 0; j < size; ++j) {
      damped[j * size + j] *= 1.0 + damping;
    }
    std::vector<double> move = downhill;
    std::vector<double> next(theta);
    double now = INFINITY;
    double promised = 0.0;
    if (dense::solve_positive(damped, move)) {
      for (std::size_t j = 0; j < size; ++j) {
        next[j] += move[j];
        promised += move[j] * (damping * gram[j * size + j] * move[j] + downhill[j]);
      }
      now = problem.value(next);
    }
    if (now < value) {
      const double fraction = (value - now) / promised;
      const double cube = 2.0 * fraction - 1.0;
      damping *= std::max(1.0 / 3.0, 1.0 - cube * cube * cube);
      raise = 2.0;
      const bool little = value - now <= kEnough * value;
      value = now;
      theta = next;
      if (little) {
        return true;
      }
      problem.system(theta, gram, downhill);
    } else {
      if (damping > 1e12 || promised <= kEnough * value) {
        return true;
      }
      damping *= raise;
      raise *= 2.0;
    }
  }
  return false;
}

}  // namespace

void Network::values(MatrixView<const double> f, std::size_t begin, std::size_t end,
                     double* out) const {
  const std::size_t inputs = f.cols();
  std::vector<double> x(kRows * inputs, 0.0);
  std::vector<double> found(kRows * units());
  for (std::size_t first = begin; first < end; first += kRows) {
    const std::size_t count = std::min(kRows, end - first);
    const std::size_t filled = filled_up(count);
    for (std::size_t k = 0; k < inputs; ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        x[k * filled + i] = scale.of(f, first + i, k);
      }
    }
    units_of(x.data(), inputs, filled, hidden.data(), units(), found.data());
    for (std::size_t i = 0; i < count; ++i) {
      double value = output[0];
      for (std::size_t h = 0; h < units(); ++h) {
        value += output[h + 1] * found[h * filled + i];
      }
      out[first - begin + i] = size * value;
    }
  }
}

Network fit_network(const HeldOut& held, View<const double> targets, double decay,
                    const std::vector<double>& start) {
  Network network;
  network.scale = standard_scale(held.f);
  double largest = 0.0;
  for (const double target : targets) {
    largest = std::max(largest, std::abs(target));
  }
  network.size = largest > 0.0 ? largest : 1.0;
  const Problem problem(held, targets, network.scale, network.size, decay);
  std::vector<double> theta = start;
  if (theta.size() != problem.unknowns()) {
    throw InvalidArgument("a network needs a starting weight for each of its own");
  }
  network.converged = minimise(problem, theta);
  const auto hidden = static_cast<std::ptrdiff_t>((held.f.cols() + 1) * kUnits);
  network.hidden.assign(theta.begin(), theta.begin() + hidden);
  network.output.assign(theta.begin() + hidden, theta.end());
  return network;
}

}  // namespace rankmix::calibrate
