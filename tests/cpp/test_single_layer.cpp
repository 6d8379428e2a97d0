#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/serial_host.h"
#include "core/base/simd.h"
#include "core/network/pair_network.h"
#include "core/network/row_losses.h"
#include "core/network/single_layer_fit.h"
#include "core/optimize/levenberg_marquardt.h"
#include "draw.h"
#include "thread_host.h"

namespace network = rankmix::network;
namespace optimize = rankmix::optimize;

namespace {

using Numbers = std::vector<double>;

Numbers bells(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  Numbers out(count);
  for (double& number : out) {
    number = normal(random);
  }
  return out;
}

struct RowResult {
  double loss;
  double root;
  double residual;
};

RowResult row_loss(network::RowLoss loss, double output, double target, double weight) {
  RowResult found{};
  network::find_losses(
      loss, {1, &output, &target, &weight, &found.loss, &found.root, &found.residual});
  return found;
}

struct Sample {
  std::size_t rows;
  std::size_t columns;
  Numbers inputs;
  Numbers targets;
  Numbers weights;

  network::MatrixRows reader() const {
    return network::MatrixRows({inputs.data(), rows, columns});
  }
};

Sample make_sample(std::size_t rows, std::size_t columns) {
  Sample sample{rows, columns, bells(rows * columns, 3), Numbers(rows), Numbers(rows)};
  const Numbers noise = bells(rows, 4);
  for (std::size_t i = 0; i < rows; ++i) {
    const double first = sample.inputs[i];
    sample.targets[i] = std::abs(first) + 0.5 * noise[i] > 0.7 ? 1.0 : 0.0;
    sample.weights[i] = static_cast<double>(i % 3);
  }
  return sample;
}

network::SingleLayerFit fit_sample(const Sample& sample, const Numbers& start,
                                   std::size_t steps, rankmix::Host& host,
                                   double decay = 0.1) {
  network::SingleLayerOptions options;
  options.loss = network::RowLoss::kCrossEntropy;
  options.decay = decay;
  options.steps = {1e-12, steps};
  const network::MatrixRows reader = sample.reader();
  return network::fit_single_layer({reader, sample.targets, sample.weights}, options,
                                   start, host);
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// The objective by the textbook.
double slow_objective(const Sample& sample, const Numbers& theta, double decay) {
  const std::size_t own = sample.columns + 1;
  const std::size_t units = (theta.size() - 1) / (own + 1);
  double sum = 0.0;
  for (std::size_t i = 0; i < sample.rows; ++i) {
    double output = theta[units * own];
    for (std::size_t h = 0; h < units; ++h) {
      double inside = theta[h * own];
      for (std::size_t k = 0; k < sample.columns; ++k) {
        inside += theta[h * own + k + 1] * sample.inputs[k * sample.rows + i];
      }
      output += theta[units * own + h + 1] * logistic(inside);
    }
    const double p = logistic(output);
    sum -= sample.weights[i] *
           (sample.targets[i] * std::log(p) + (1.0 - sample.targets[i]) * std::log1p(-p));
  }
  for (const double weight : theta) {
    sum += decay * weight * weight;
  }
  return sum;
}

// Rosenbrock's function. Its Hessian is not positive definite everywhere.
class Banana : public optimize::DampedFunction {
 public:
  double value(const optimize::Vector& at) override {
    const double bend = at[1] - at[0] * at[0];
    return 100.0 * bend * bend + (1.0 - at[0]) * (1.0 - at[0]);
  }
  void find_system(const optimize::Vector& at, optimize::DampedSystem& out) override {
    const double bend = at[1] - at[0] * at[0];
    out.half_hessian = {-200.0 * bend + 400.0 * at[0] * at[0] + 1.0, -200.0 * at[0], 0.0,
                        100.0};
    out.downhill = {200.0 * at[0] * bend + 1.0 - at[0], -100.0 * bend};
    out.scale = {400.0 * at[0] * at[0] + 1.0, 100.0};
  }
};

}  // namespace

TEST_CASE("damped steps reach the minimum of a function that is not convex") {
  Banana banana;
  optimize::Vector point = {0.0, 1.5};  // the Hessian is indefinite here
  const auto end = optimize::minimise_damped(banana, {1e-12, 200}, point);
  CHECK(end.converged);
  CHECK(end.value < 1e-12);
  CHECK(std::abs(point[0] - 1.0) < 1e-5);
  CHECK(std::abs(point[1] - 1.0) < 1e-5);
  point = {0.0, 1.5};
  CHECK_FALSE(optimize::minimise_damped(banana, {1e-12, 3}, point).converged);
  point = {0.0, 1.5};
  const auto none = optimize::minimise_damped(banana, {1e-12, 0}, point);
  CHECK(none.value == banana.value({0.0, 1.5}));
  CHECK(none.steps == 0);
}

TEST_CASE("losses of rows have the derivatives of finite differences") {
  constexpr double h = 1e-3;
  for (const auto loss : {network::RowLoss::kSquared, network::RowLoss::kCrossEntropy}) {
    for (const double target : {0.0, 1.0}) {
      for (const double output : {-30.0, -2.0, 0.0, 0.3, 5.0}) {
        const auto value = [&](double at) {
          return row_loss(loss, at, target, 2.5).loss;
        };
        const RowResult found = row_loss(loss, output, target, 2.5);
        const double first = (value(output + h) - value(output - h)) / (2.0 * h);
        const double second =
            (value(output + h) - 2.0 * found.loss + value(output - h)) / (h * h);
        CHECK(std::abs(-2.0 * found.root * found.residual - first) < 1e-6);
        CHECK(std::abs(2.0 * found.root * found.root - second) < 1e-5);
      }
    }
  }
}

TEST_CASE("cross-entropy is precise at extreme outputs, and weights scale it") {
  const auto entropy = [](double output, double target, double weight) {
    return row_loss(network::RowLoss::kCrossEntropy, output, target, weight);
  };
  CHECK(entropy(0.0, 1.0, 1.0).loss == doctest::Approx(std::log(2.0)).epsilon(1e-15));
  CHECK(entropy(40.0, 1.0, 1.0).loss == doctest::Approx(std::exp(-40.0)).epsilon(1e-13));
  CHECK(entropy(900.0, 0.0, 1.0).loss == 900.0);
  for (const double output : {-1e300, -900.0, 900.0, 1e300}) {
    for (const double target : {0.0, 1.0}) {
      const RowResult found = entropy(output, target, 1.0);
      CHECK(std::isfinite(found.loss));
      CHECK(std::isfinite(found.root));
      CHECK(std::isfinite(found.residual));
      CHECK(std::abs(found.root * found.residual) <= 0.5 + 1e-12);
    }
  }
  CHECK(entropy(1.5, 0.0, 3.0).loss ==
        doctest::Approx(3.0 * entropy(1.5, 0.0, 1.0).loss).epsilon(1e-15));
  CHECK(entropy(1.5, 0.0, 0.0).loss == 0.0);
  CHECK(entropy(1.5, 0.0, 0.0).residual == 0.0);
}

TEST_CASE(
    "the objective of cross-entropy equals loops, and its gradient at the minimum is 0") {
  rankmix::SerialHost host;
  const Sample sample = make_sample(300, 2);
  const Numbers start = bells(3 * 3 + 4, 5);  // three units of three weights
  CHECK(fit_sample(sample, start, 0, host).end.value ==
        doctest::Approx(slow_objective(sample, start, 0.1)).epsilon(1e-12));
  const network::SingleLayerFit fit = fit_sample(sample, start, 500, host);
  CHECK(fit.end.converged);
  CHECK(fit.end.value < slow_objective(sample, start, 0.1));
  CHECK(fit.end.value ==
        doctest::Approx(slow_objective(sample, fit.weights, 0.1)).epsilon(1e-12));
  for (std::size_t j = 0; j < start.size(); ++j) {
    const auto moved = [&](double by) {
      Numbers at = fit.weights;
      at[j] += by;
      return slow_objective(sample, at, 0.1);
    };
    const double gradient = (moved(1e-4) - moved(-1e-4)) / 2e-4;
    CHECK(std::abs(gradient) < 1e-4);
  }
  // With the exact Hessian, few steps are enough near the minimum.
  Numbers near = fit.weights;
  const Numbers noise = bells(near.size(), 6);
  for (std::size_t j = 0; j < near.size(); ++j) {
    near[j] += 1e-3 * noise[j];
  }
  const network::SingleLayerFit again = fit_sample(sample, near, 500, host);
  CHECK(again.end.converged);
  CHECK(again.end.steps <= 6);
  CHECK(again.end.value == doctest::Approx(fit.end.value).epsilon(1e-10));
}

TEST_CASE("without inputs the network learns the fraction of the targets") {
  rankmix::SerialHost host;
  const Sample sample{
      4, 1, {0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 0.0, 1.0}, {1.0, 2.0, 2.0, 3.0}};
  const network::SingleLayerFit fit =
      fit_sample(sample, bells(2 * 2 + 3, 7), 200, host, 1e-5);
  double output = 0.0;
  network::find_outputs(network::single_layer(fit.weights, 1), sample.reader(), 0, 1,
                        &output);
  CHECK(fit.end.converged);
  CHECK(output == doctest::Approx(std::log(3.0)).epsilon(1e-4));
  const double entropy = -8.0 * (0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  CHECK(fit.end.value == doctest::Approx(entropy).epsilon(1e-5));
}

TEST_CASE("neither threads nor AVX2 change a network, and weights are copies") {
  rankmix::SerialHost serial;
  ThreadHost three(3);
  const Sample sample = make_sample(20000, 3);
  const Numbers start = bells(5 * 5 + 1, 8);
  const network::SingleLayerFit fit = fit_sample(sample, start, 6, serial);
  CHECK(fit_sample(sample, start, 6, three).weights == fit.weights);
  rankmix::allow_avx2(false);
  CHECK(fit_sample(sample, start, 6, three).weights == fit.weights);
  rankmix::allow_avx2(true);
  three.interrupt_after(4);
  CHECK_THROWS_AS(fit_sample(sample, start, 6, three), rankmix::Interrupted);

  const Sample small = make_sample(200, 2);
  Sample copies{0, 2, {}, {}, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < small.rows; ++i) {
      copies.inputs.insert(copies.inputs.end(), i % 3, small.inputs[k * small.rows + i]);
    }
  }
  for (std::size_t i = 0; i < small.rows; ++i) {
    copies.targets.insert(copies.targets.end(), i % 3, small.targets[i]);
  }
  copies.rows = copies.targets.size();
  copies.weights.assign(copies.rows, 1.0);
  const Numbers two_units = bells(2 * 4 + 1, 9);
  const network::SingleLayerFit weighted = fit_sample(small, two_units, 300, serial);
  const network::SingleLayerFit copied = fit_sample(copies, two_units, 300, serial);
  CHECK(weighted.end.value == doctest::Approx(copied.end.value).epsilon(1e-10));
  for (std::size_t j = 0; j < two_units.size(); ++j) {
    CHECK(std::abs(weighted.weights[j] - copied.weights[j]) < 1e-4);
  }
}

TEST_CASE("probabilities of a pair sum to 1, and do not depend on other pairs") {
  ThreadHost host(2);
  const Numbers numbers = bells(2 * 9, 10);
  const rankmix::MatrixView<const double> documents(numbers.data(), 9, 2);
  const Numbers weights = bells(5 * 6 + 1, 11);
  const std::vector<int> offsets = {2, 3, 3, 9};
  const Numbers chances = network::pair_chances(weights, documents, offsets, host);
  REQUIRE(chances.size() == 1 + 36);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const std::vector<int> first = {2 + 1 + i};
      const std::vector<int> second = {2 + 1 + j};
      const Numbers both =
          network::pair_outputs(weights, documents, {first, second, {}}, host);
      const double chance = chances[static_cast<std::size_t>(1 + j * 6 + i)];
      CHECK(chance == doctest::Approx((both[0] + 1.0 - both[1]) / 2.0).epsilon(1e-14));
      CHECK(chance + chances[static_cast<std::size_t>(1 + i * 6 + j)] ==
            doctest::Approx(1.0).epsilon(1e-15));
    }
  }
  const std::vector<int> wrong = {2, 3, 3, 10};
  CHECK_THROWS_AS(network::pair_chances(weights, documents, wrong, host),
                  rankmix::InvalidArgument);
  CHECK_THROWS_AS(network::pair_chances(bells(30, 1), documents, offsets, host),
                  rankmix::InvalidArgument);
  const std::vector<int> first = {0, 9};
  const std::vector<int> second = {1, 2};
  CHECK_THROWS_AS(
      network::fit_pair_network(documents, {first, second, {}}, 0.1, 9, weights, host),
      rankmix::InvalidArgument);
}

TEST_CASE("a network refuses targets, weights and starts that do not fit") {
  rankmix::SerialHost host;
  Sample sample = make_sample(10, 2);
  CHECK_THROWS_AS(fit_sample(sample, bells(12, 1), 5, host), rankmix::InvalidArgument);
  CHECK_THROWS_AS(fit_sample(sample, {}, 5, host), rankmix::InvalidArgument);
  sample.targets[3] = 0.5;
  CHECK_THROWS_AS(fit_sample(sample, bells(13, 1), 5, host), rankmix::InvalidArgument);
  sample.targets.pop_back();
  CHECK_THROWS_AS(fit_sample(sample, bells(13, 1), 5, host), rankmix::InvalidArgument);
}
