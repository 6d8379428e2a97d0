#include "core/calibrate/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/dense.h"
#include "core/calibrate/kernel_factors.h"
#include "core/calibrate/regression.h"

namespace rankmix::calibrate {
namespace {

constexpr std::size_t kLikelihoodDocuments = 256;
constexpr std::size_t kCandidates = 4096;
constexpr std::size_t kMaxChosen = 256;
constexpr double kLeft = 1e-8;
// The likelihood needs less precision, because the noise is at least 1e-3 of the
// variance.
constexpr double kLeftForLikelihood = 1e-4;
constexpr double kShortest = 0.5;
constexpr double kLongest = 100.0;
constexpr std::size_t kLengths = 12;
constexpr std::size_t kFirstLength = 3;  // about 2 standard deviations
constexpr double kMinNoise = 1e-3;
constexpr double kMaxNoise = 1e3;

double length_at(double step) {
  return kShortest * std::pow(kLongest / kShortest, step / (kLengths - 1.0));
}

// The position of the minimum of the parabola through three values at -1, 0 and 1,
// clipped to [-0.5, 0.5]. Returns 0 if the parabola has no minimum.
double lowest_between(double before, double at, double after) {
  const double bend = before - 2.0 * at + after;
  return bend > 0.0 ? std::min(0.5, std::max(-0.5, 0.5 * (before - after) / bend)) : 0.0;
}

// Approximate minimiser of a function on [from, to]: the best of `count` grid points,
// refined by a parabola.
template <class Function>
double lowest_of(double from, double to, std::size_t count, const Function& value) {
  std::vector<double> values(count);
  auto at = [&](double step) {
    return from + (to - from) * step / static_cast<double>(count - 1);
  };
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = value(at(static_cast<double>(i)));
  }
  const auto best = static_cast<std::size_t>(
      std::min_element(values.begin(), values.end()) - values.begin());
  const double move =
      best == 0 || best + 1 == count
          ? 0.0
          : lowest_between(values[best - 1], values[best], values[best + 1]);
  return at(static_cast<double>(best) + move);
}

// The likelihood of targets at a sample of documents.
class Likelihood {
 public:
  Likelihood(const HeldOut& held, const StandardScale& scale,
             const std::vector<std::size_t>& rows)
      : count_(rows.size()), dimensions_(held.f.cols()) {
    x_.resize(count_ * dimensions_);
    for (std::size_t k = 0; k < dimensions_; ++k) {
      for (std::size_t i = 0; i < count_; ++i) {
        x_[k * count_ + i] = scale.of(held.f, rows[i], k);
      }
    }
    for (const std::size_t row : rows) {
      root_.push_back(std::sqrt(held.copies(row)));
      copies_ += held.copies(row);
    }
    // Weights that are no numbers of copies only divide the noise of a document.
    copies_ = std::max(copies_, static_cast<double>(count_));
  }

  struct Best {
    double value = 0.0;
    double noise = 1.0;
  };

  // For a length, the best noise of each target and minus the log-likelihood at that
  // noise, without constants. The variance s^2 is the maximum likelihood estimate.
  std::vector<Best> at(double length,
                       const std::vector<std::vector<double>>& targets, Host& host) const {
    std::vector<double> x = x_;
    for (double& number : x) {
      number /= length;
    }
    KernelFactors factors =
        factor_kernel(x, count_, dimensions_, count_, kLeftForLikelihood);
    const std::size_t rank = factors.rank();
    std::vector<double> b(count_ * rank);
    for (std::size_t m = 0; m < rank; ++m) {
      for (std::size_t i = 0; i < count_; ++i) {
        b[m * count_ + i] = root_[i] * factors.g[m * factors.stride + i];
      }
    }
    std::vector<double> gram(rank * rank, 0.0);
    dense::add_gram({b.data(), count_, rank}, gram.data());
    const dense::Spectrum spectrum = dense::spectrum_of(gram, rank, host);
    std::vector<Best> found;
    for (const std::vector<double>& target : targets) {
      std::vector<double> y(count_);
      for (std::size_t i = 0; i < count_; ++i) {
        y[i] = root_[i] * target[i];
      }
      found.push_back(best_noise(spectrum, b, y));
    }
    return found;
  }

 private:
  Best best_noise(const dense::Spectrum& spectrum, const std::vector<double>& b,
                  const std::vector<double>& y) const {
    const std::size_t rank = spectrum.values.size();
    std::vector<double> along(rank, 0.0);  // B'y
    for (std::size_t m = 0; m < rank; ++m) {
      along[m] = std::inner_product(
          y.begin(), y.end(), b.begin() + static_cast<std::ptrdiff_t>(m * count_), 0.0);
    }
    std::vector<double> squares(rank, 0.0);
    for (std::size_t m = 0; m < rank; ++m) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) {
        sum += spectrum.vectors[m * rank + k] * along[k];
      }
      squares[m] = sum * sum;
    }
    const double whole = std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
    const double n = copies_;
    auto value = [&](double log_noise) {
      const double noise = std::exp(log_noise);
      double left = whole;
      double logs = (n - static_cast<double>(rank)) * log_noise;
      for (std::size_t m = 0; m < rank; ++m) {
        const double spread = std::max(0.0, spectrum.values[m]) + noise;
        left -= squares[m] / spread;
        logs += std::log(spread);
      }
      return 0.5 * n * std::log(std::max(left, 1e-300) / noise / n) + 0.5 * logs;
    };
    const double log_noise =
        lowest_of(std::log(kMinNoise), std::log(kMaxNoise), 25, value);
    return {value(log_noise), std::exp(log_noise)};
  }

  std::size_t count_;
  std::size_t dimensions_;
  std::vector<double> x_;
  std::vector<double> root_;  // square roots of the numbers of copies
  double copies_ = 0.0;
};

std::vector<double> some(const std::vector<double>& all,
                         const std::vector<std::size_t>& rows) {
  std::vector<double> chosen(rows.size());
  std::transform(rows.begin(), rows.end(), chosen.begin(),
                 [&](std::size_t row) { return all[row]; });
  return chosen;
}

// Finds length and noise for each target by maximum likelihood.
void find_priors(const HeldOut& held, const StandardScale& scale,
                 const std::vector<std::vector<double>>& centered,
                 std::vector<GaussianProcess>& processes, Host& host) {
  const std::vector<std::size_t> rows =
      regular_sample(held, centered[0], kLikelihoodDocuments);
  const Likelihood likelihood(held, scale, rows);
  std::vector<std::vector<double>> targets;
  for (const std::vector<double>& all : centered) {
    targets.push_back(some(all, rows));
  }
  std::vector<std::vector<double>> values(kLengths);
  const auto value = [&](std::size_t step, std::size_t t) {
    if (values[step].empty()) {
      for (const auto& best :
           likelihood.at(length_at(static_cast<double>(step)), targets, host)) {
        values[step].push_back(best.value);
      }
    }
    return values[step][t];
  };
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::vector<double>& y = targets[t];
    if (std::all_of(y.begin(), y.end(), [&](double one) { return one == y[0]; })) {
      continue;
    }
    std::size_t at = kFirstLength;
    while (at + 1 < kLengths && value(at + 1, t) < value(at, t)) {
      ++at;
    }
    while (at > 0 && value(at - 1, t) < value(at, t)) {
      --at;
    }
    const double move =
        at == 0 || at + 1 == kLengths
            ? 0.0
            : lowest_between(value(at - 1, t), value(at, t), value(at + 1, t));
    processes[t].length = length_at(static_cast<double>(at) + move);
    processes[t].noise = likelihood.at(processes[t].length, {y}, host)[0].noise;
  }
}

// The coefficients of the kernels of the chosen documents, and the fields that prediction
// needs.
void find_coefficients(const HeldOut& held, const StandardScale& scale,
                       const std::vector<double>& y, GaussianProcess& process,
                       Host& host) {
  const std::size_t dimensions = held.f.cols();
  const std::vector<std::size_t> candidates = regular_sample(held, y, kCandidates);
  std::vector<double> x(candidates.size() * dimensions);
  for (std::size_t k = 0; k < dimensions; ++k) {
    process.scale.push_back(scale.factor[k] / process.length);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      x[k * candidates.size() + i] = scale.of(held.f, candidates[i], k) / process.length;
    }
  }
  const KernelFactors factors =
      factor_kernel(x, candidates.size(), dimensions, kMaxChosen, kLeft);
  process.left = factors.left;
  const std::size_t rank = factors.rank();
  process.centers.resize(rank * dimensions);
  for (std::size_t k = 0; k < dimensions; ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      process.centers[k * rank + j] = held.f(candidates[factors.chosen[j]], k);
    }
  }
  const std::vector<double> lower = factors.at_chosen();
  const KernelBasis basis({process.centers.data(), rank, dimensions}, process.scale);
  NormalEquations equations =
      normal_equations(basis, held.f, y, held.weights, host, &lower);
  for (std::size_t j = 0; j < rank; ++j) {
    equations.gram[j * rank + j] += process.noise / held.unit;
  }
  process.coefficients = std::move(equations.right);
  dense::solve_positive(equations.gram, process.coefficients);
  dense::divide(lower, process.coefficients);
}

}  // namespace

std::vector<GaussianProcess> fit_gaussian_processes(
    const HeldOut& held, const std::vector<std::vector<double>>& targets, Host& host) {
  const StandardScale scale = standard_scale(held);
  std::vector<GaussianProcess> processes(targets.size());
  std::vector<std::vector<double>> centered = targets;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t i = 0; i < held.rows(); ++i) {
      sum += held.weight(i) * targets[t][i];
      weights += held.weight(i);
    }
    processes[t].mean = sum / weights;
    for (double& y : centered[t]) {
      y -= processes[t].mean;
    }
  }
  find_priors(held, scale, centered, processes, host);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    find_coefficients(held, scale, centered[t], processes[t], host);
  }
  return processes;
}

}  // namespace rankmix::calibrate
