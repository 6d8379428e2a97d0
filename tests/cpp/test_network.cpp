// Networks without R: compares products with plain loops, and checks that bits do not
// depend on registers or threads. Also tests interrupts. Tests in R compare gradients and
// steps with slow reference implementations.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/network/activation.h"
#include "core/network/lanes.h"
#include "core/network/pass.h"
#include "core/network/predict.h"
#include "core/network/products.h"
#include "core/network/training.h"
#include "core/objective/list_mle.h"
#include "core/objective/pairwise.h"
#include "core/objective/softmax.h"
#include "draw.h"
#include "objective_case.h"
#include "thread_host.h"

using objective_case::Case;
using rankmix::InvalidArgument;
using rankmix::MatrixView;
namespace network = rankmix::network;
namespace objective = rankmix::objective;

namespace {

constexpr std::size_t kLanes = network::kLanes;

std::vector<float> random_floats(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  draw::Normal<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = normal(random);
  }
  return numbers;
}

// Calls body() with and without wide registers.
template <class Body>
auto both_ways(const Body& body) {
  rankmix::allow_avx2(false);
  const auto plain = body();
  rankmix::allow_avx2(true);
  CHECK(body() == plain);
  return plain;
}

struct Products {
  std::vector<float> out;
  std::vector<double> sums;
  bool operator==(const Products& other) const {
    return out == other.out && sums == other.sums;
  }
};

void check_products(std::size_t tiles, std::size_t inputs, std::size_t outputs) {
  const std::vector<float> in = random_floats(tiles * inputs * kLanes, 1);
  const std::vector<float> weights = random_floats(inputs * outputs, 2);
  const std::vector<float> start = random_floats(outputs, 3);
  const std::vector<float> deltas = random_floats(tiles * outputs * kLanes, 4);
  const network::TileRow row{in.data(), inputs};
  const Products found = both_ways([&] {
    Products made{std::vector<float>(tiles * outputs * kLanes),
                  std::vector<double>(inputs * outputs, 1.0)};
    network::multiply(row, tiles, {weights.data(), inputs, outputs}, start.data(),
                      made.out.data());
    network::add_products(row, inputs, deltas.data(), outputs, tiles, made.sums.data());
    return made;
  });
  std::vector<const float*> tiles_of_rows;
  for (std::size_t t = 0; t < tiles; ++t) {
    tiles_of_rows.push_back(in.data() + t * inputs * kLanes);
  }
  Products listed = found;
  network::multiply(network::TileList{tiles_of_rows.data()}, tiles,
                    {weights.data(), inputs, outputs}, start.data(), listed.out.data());
  listed.sums.assign(inputs * outputs, 1.0);
  network::add_products(network::TileList{tiles_of_rows.data()}, inputs, deltas.data(),
                        outputs, tiles, listed.sums.data());
  CHECK(listed == found);
  // The error of each sum is below the number of its terms times the rounding errors of
  // the terms.
  const double unit = std::ldexp(1.0, -24);
  for (std::size_t u = 0; u < outputs; ++u) {
    for (std::size_t t = 0; t < tiles; ++t) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        double sum = start[u];
        double size = std::abs(sum);
        for (std::size_t j = 0; j < inputs; ++j) {
          const double term = double{in[(t * inputs + j) * kLanes + k]} *
                              double{weights[j * outputs + u]};
          sum += term;
          size += std::abs(term);
        }
        CHECK(std::abs(found.out[(t * outputs + u) * kLanes + k] - sum) <=
              static_cast<double>(inputs + 2) * unit * size);
      }
    }
    for (std::size_t j = 0; j < inputs; ++j) {
      double sum = 1.0;
      double size = 1.0;
      for (std::size_t i = 0; i < tiles * kLanes; ++i) {
        const std::size_t t = i / kLanes;
        const double term = double{in[(t * inputs + j) * kLanes + i % kLanes]} *
                            double{deltas[(t * outputs + u) * kLanes + i % kLanes]};
        sum += term;
        size += std::abs(term);
      }
      CHECK(std::abs(found.sums[j * outputs + u] - sum) <=
            static_cast<double>(tiles + 2) * unit * size);
    }
  }
}

// A case with features that partly predict the grades.
struct Data {
  Case judged;
  std::vector<double> x;
  std::size_t features = 5;
  MatrixView<const double> view() const { return {x.data(), judged.rows(), features}; }
};

Data make_data(unsigned seed) {
  objective_case::Kind kind;
  kind.seed = seed;
  kind.queries = 40;
  kind.weights = false;
  Data data;
  data.judged = objective_case::make_case(kind);
  data.judged.shifts.clear();
  data.judged.query_weights.clear();
  std::mt19937 random(seed);
  draw::Normal<double> normal;
  for (std::size_t i = 0; i < data.judged.rows() * data.features; ++i) {
    data.x.push_back(normal(random) + 0.3 * data.judged.grades[i % data.judged.rows()]);
  }
  return data;
}

network::Options some_options(network::Normalization normalization) {
  network::Options options;
  options.shape.inputs = 5;
  options.shape.hidden = {9, 6};
  options.shape.normalization = normalization;
  options.batch = 7;
  options.learning_rate = 0.01;
  options.dropout = 0.2;
  options.seed = 11;
  return options;
}

network::Model train(const Data& data, const network::Options& options, unsigned threads,
                     std::size_t epochs = 4) {
  ThreadHost host(threads);
  network::Training training(data.view(), std::make_unique<objective::Softmax>(),
                             data.judged.documents(), options, host);
  training.run(epochs, epochs, host);
  return training.model();
}

}  // namespace

TEST_CASE("products equal plain loops for all registers and sizes") {
  for (std::size_t tiles : {1, 5}) {
    for (std::size_t inputs : {1, 4, 7, 10}) {
      for (std::size_t outputs : {1, 2, 3, 8, 15, 17}) {
        check_products(tiles, inputs, outputs);
      }
    }
  }
}

TEST_CASE("activations and their derivatives equal the functions") {
  std::vector<float> z = random_floats(64, 5);
  z[0] = 0.0f;
  z[1] = 90.0f;
  z[2] = -90.0f;
  z[3] = 3e38f;
  z[4] = -3e38f;
  for (network::Activation activation :
       {network::Activation::kRelu, network::Activation::kTanh,
        network::Activation::kLogistic}) {
    const Products found = both_ways([&] {
      Products made{std::vector<float>(64), {}};
      std::vector<float> derivative(64);
      network::activate(activation, z.data(), 64, made.out.data(), derivative.data());
      made.sums.assign(derivative.begin(), derivative.end());
      return made;
    });
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double x = z[i];
      double y = std::max(0.0, x);
      double derivative = x > 0.0 ? 1.0 : 0.0;
      if (activation == network::Activation::kTanh) {
        y = std::tanh(x);
        derivative = 1.0 - y * y;
      } else if (activation == network::Activation::kLogistic) {
        y = 1.0 / (1.0 + std::exp(-x));
        derivative = y * (1.0 - y);
      }
      // Rounded to single precision.
      CHECK(std::abs(found.out[i] - y) <= 6e-8 * std::abs(y) + 1e-30);
      CHECK(std::abs(found.sums[i] - derivative) <= 6e-8);
    }
  }
}

TEST_CASE(
    "a training has the same bits on any number of threads, and without wide registers") {
  const Data data = make_data(3);
  for (network::Normalization normalization :
       {network::Normalization::kNone, network::Normalization::kBatch,
        network::Normalization::kLayer}) {
    const network::Options options = some_options(normalization);
    const network::Model one = train(data, options, 1);
    CHECK((one.values.size() == 4 && one.status == network::Status::kLimit));
    CHECK(train(data, options, 4).numbers == one.numbers);
    rankmix::allow_avx2(false);
    CHECK(train(data, options, 2).numbers == one.numbers);
    rankmix::allow_avx2(true);
  }
}

TEST_CASE(
    "epochs that are added are those of one go, and a document predicts alone as among "
    "others") {
  const Data data = make_data(4);
  const network::Options options = some_options(network::Normalization::kBatch);
  const network::Model whole = train(data, options, 1, 5);
  ThreadHost host(2);
  network::Training training(data.view(), std::make_unique<objective::Softmax>(),
                             data.judged.documents(), options, host);
  training.run(2, 5, host);
  training.run(3, 5, host);
  CHECK(training.model().numbers == whole.numbers);
  CHECK(host.progressed() == 5);
  std::vector<double> all(data.judged.rows());
  network::predict(options.shape, whole.scale, whole.numbers.back(), data.view(), host,
                   all.data());
  for (std::size_t i = 0; i < data.judged.rows(); i += 11) {
    std::vector<double> row;
    for (std::size_t j = 0; j < data.features; ++j) {
      row.push_back(data.view()(i, j));
    }
    double serial = 0.0;
    network::predict(options.shape, whole.scale, whole.numbers.back(),
                     {row.data(), 1, data.features}, host, &serial);
    CHECK(serial == all[i]);
  }
}

TEST_CASE(
    "units that are dropped have no part in scores nor in the gradient, the others "
    "more") {
  network::Shape shape;
  shape.inputs = 3;
  shape.hidden = {8, 6};
  shape.activation = network::Activation::kTanh;
  const std::vector<float> in = random_floats(shape.inputs * kLanes, 7);
  const std::vector<const float*> inputs{in.data()};
  const std::vector<std::uint32_t> tile_numbers{5};
  const network::Dropout dropout{0.4, 99};
  network::Weights weights(shape);
  const auto forward = [&](network::Pass& pass, const std::vector<double>& numbers) {
    weights.set(numbers);
    pass.begin(inputs);
    for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
      pass.sum_units(l);
      pass.finish_units(l, nullptr, true);
      pass.drop(l, dropout, tile_numbers);
    }
    const std::vector<float>& scores = pass.score();
    return std::accumulate(scores.begin(), scores.end(), 0.0);
  };
  std::vector<double> numbers;
  for (float number : random_floats(shape.numbers(), 8)) {
    numbers.push_back(0.5 * number);
  }
  network::Pass pass(shape, weights);
  forward(pass, numbers);
  std::vector<double> gradient(shape.trained(), 0.0);
  pass.back_from_score(std::vector<float>(kLanes, 1.0f), gradient.data());
  for (std::size_t l = shape.hidden.size(); l-- > 0;) {
    pass.back_to_normalized(l, gradient.data());
    pass.back_to_inputs(l, nullptr, nullptr, 0.0, gradient.data());
  }
  // The error of a finite difference: h^2 times third derivatives of about 1, plus the
  // rounding errors of eight scores divided by h.
  const double h = 5e-3;
  std::size_t without_part = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<double> moved = numbers;
    moved[i] += h;
    const double above = forward(pass, moved);
    moved[i] -= 2.0 * h;
    const double below = forward(pass, moved);
    CHECK(std::abs((above - below) / (2.0 * h) - gradient[i]) < 2e-3);
    without_part += gradient[i] == 0.0 ? 1 : 0;
  }
  CHECK(without_part < numbers.size() / 2);
  // Over many tiles, the mean output stays the same on average.
  std::vector<double> constant(shape.numbers(), 0.0);
  const auto layouts = shape.layouts();
  for (std::size_t u = 0; u < 6; ++u) {
    constant[layouts[1].bias + u] = 1.0;
    constant[layouts[2].weights + u] = 1.0;
  }
  weights.set(constant);
  double sum = 0.0;
  const std::size_t tiles = 500;
  for (std::uint32_t t = 0; t < tiles; ++t) {
    pass.begin(inputs);
    pass.sum_units(0);
    pass.finish_units(0, nullptr, true);
    pass.sum_units(1);
    pass.finish_units(1, nullptr, true);
    pass.drop(1, dropout, std::vector<std::uint32_t>{t});
    const std::vector<float>& scores = pass.score();
    sum += std::accumulate(scores.begin(), scores.end(), 0.0);
  }
  // 24,000 draws with variance 0.4 / 0.6. The limit is five standard errors.
  const double draws = 6.0 * kLanes * static_cast<double>(tiles);
  CHECK(std::abs(sum / (draws * std::tanh(1.0)) - 1.0) <
        5.0 * std::sqrt(0.4 / 0.6 / draws));
}

TEST_CASE("an interrupt ends a training, and so do steps that are too large") {
  const Data data = make_data(5);
  network::Options options = some_options(network::Normalization::kNone);
  ThreadHost host(1);
  network::Training training(data.view(), std::make_unique<objective::Softmax>(),
                             data.judged.documents(), options, host);
  host.interrupt_after(3);
  CHECK_THROWS_AS(training.run(4, 4, host), rankmix::Interrupted);
  options.learning_rate = 1e30;
  const network::Model diverged = train(data, options, 1);
  CHECK(diverged.status == network::Status::kDiverged);
  CHECK(diverged.numbers.size() == diverged.values.size() + 1);
}

TEST_CASE("impossible networks are refused") {
  const Data data = make_data(6);
  const auto refused = [&](const network::Options& options) {
    CHECK_THROWS_AS(train(data, options, 1), InvalidArgument);
  };
  network::Options options = some_options(network::Normalization::kNone);
  options.shape.hidden.clear();
  refused(options);
  options.shape.hidden = {3, 0};
  refused(options);
  options = some_options(network::Normalization::kNone);
  options.shape.inputs = 4;
  refused(options);
  options = some_options(network::Normalization::kNone);
  options.dropout = 1.0;
  refused(options);
  options.dropout = 0.0;
  options.learning_rate = 0.0;
  refused(options);
}
