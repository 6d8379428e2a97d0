#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/log.h"
#include "core/base/simd.h"
#include "core/calibrate/fit.h"
#include "core/calibrate/regression.h"
#include "core/calibrate/soft_ndcg.h"
#include "core/mix/aggregate.h"
#include "core/mix/mixture.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::View;
namespace calibrate = rankmix::calibrate;
namespace mix = rankmix::mix;

namespace {

// Queries of 1 to 60 documents with 4 grades.
struct Judged {
  std::vector<double> f;
  std::vector<int> grades;
  std::vector<int> order;
  std::vector<int> offsets{0};
  std::vector<double> ideal;

  MatrixView<const double> view() const { return {f.data(), grades.size(), 4}; }
  rankmix::data::Queries queries() const { return {order, offsets}; }
  calibrate::HeldOut held() const { return {view(), grades, {}, offsets, ideal}; }
  calibrate::Judgements judgements() const { return {grades, {}, queries(), ideal}; }
};

Judged judged(int queries, unsigned seed) {
  Judged made;
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (int q = 0; q < queries; ++q) {
    made.offsets.push_back(made.offsets.back() + 1 + static_cast<int>(random() % 60));
    made.ideal.push_back(q % 7 == 0 ? 0.0 : 1.5);
  }
  for (int i = 0; i < made.offsets.back(); ++i) {
    made.order.push_back(i);
    made.grades.push_back(static_cast<int>(random() % 4));
  }
  for (std::size_t i = 0; i < made.grades.size() * 4; ++i) {
    made.f.push_back(normal(random));
  }
  return made;
}

// The results of all code with loops for wide registers or with threads.
std::vector<double> all_values(const Judged& on, rankmix::Host& host) {
  const calibrate::SigmoidTarget soft = calibrate::soft_ndcg_target(
      0.01, on.held(), 2.0, 0.1, calibrate::Derivatives::kAll, host);
  std::vector<double> values{soft.value, soft.da, soft.db};
  const std::vector<double> targets(on.grades.begin(), on.grades.end());
  const std::vector<double> centers(on.f.begin(), on.f.begin() + 13 * 4);
  const std::vector<double> scale(4, 0.7);
  const calibrate::KernelBasis kernels({centers.data(), 13, 4}, scale);
  const std::vector<double> lower(4, -2.0);
  const std::vector<double> upper(4, 2.0);
  const calibrate::PolynomialBasis polynomials(lower, upper, 3);
  for (const calibrate::Basis* basis :
       {static_cast<const calibrate::Basis*>(&kernels),
        static_cast<const calibrate::Basis*>(&polynomials)}) {
    const calibrate::NormalEquations equations =
        calibrate::normal_equations(*basis, on.view(), targets, {}, host);
    values.insert(values.end(), equations.gram.begin(), equations.gram.end());
    values.insert(values.end(), equations.right.begin(), equations.right.end());
    const std::vector<double> ones(basis->size(), 1.0);
    std::vector<double> sums(on.grades.size());
    calibrate::regression_values(*basis, on.view(), ones, 0, sums.size(), sums.data());
    values.insert(values.end(), sums.begin(), sums.end());
  }
  for (const auto loss :
       {calibrate::SigmoidLoss::kLogSigmoid, calibrate::SigmoidLoss::kEntropyWeighted,
        calibrate::SigmoidLoss::kExpectedLoss,
        calibrate::SigmoidLoss::kExpectedLabelLoss}) {
    const calibrate::SigmoidTarget target =
        calibrate::sigmoid_target(loss, 2.0, on.view(), on.grades, {}, 1.5, -0.2, host);
    values.insert(values.end(), {target.value, target.da, target.db});
  }
  const std::vector<double> chain =
      mix::aggregate_ranks(on.view(), on.queries(), mix::Aggregation::kMc3, 0.05, host);
  values.insert(values.end(), chain.begin(), chain.end());
  return values;
}

}  // namespace

TEST_CASE("exp_not_positive() equals std::exp()") {
  double worst = 0.0;
  for (int i = 0; i <= 700000; ++i) {
    const double x = -0.001 * i;
    worst = std::max(worst, std::abs(rankmix::exp_not_positive(x) / std::exp(x) - 1.0));
  }
  CHECK(worst < 5e-16);
  CHECK(rankmix::exp_not_positive(0.0) == 1.0);
  double x[8] = {-1e300, -1e4, -708.0, -800.0, -1.0, 0.0, -1e-300, -INFINITY};
  rankmix::exp_in_place<8>(x);
  CHECK((x[0] == x[2] && x[1] == x[2] && x[3] == x[2] && x[7] == x[2]));
  CHECK((x[2] > 0.0 && x[2] < 1e-300 && x[5] == 1.0 && x[6] == 1.0));
}

TEST_CASE("log_positive() equals std::log()") {
  double worst = 0.0;
  for (int i = -700; i <= 700; ++i) {
    for (int j = 0; j < 200; ++j) {
      const double x = std::exp(i + 0.005 * j);
      const double exact = std::log(x);
      worst = std::max(worst, std::abs(rankmix::log_positive(x) - exact) /
                                  std::max(1.0, std::abs(exact)));
    }
  }
  CHECK(worst < 5e-16);
  CHECK(rankmix::log_positive(1.0) == 0.0);
}

TEST_CASE("values of all losses equal single losses, and derivatives equal differences") {
  const Judged on = judged(40, 8);
  std::vector<double> weights(on.grades.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<double>(i % 3);
  }
  ThreadHost host(2);
  const calibrate::SigmoidValues all =
      calibrate::sigmoid_values(1.5, on.view(), on.grades, weights, 1.2, 0.3, host);
  for (std::size_t k = 0; k < calibrate::kSigmoidLosses; ++k) {
    auto target = [&](double a, double b) {
      return calibrate::sigmoid_target(static_cast<calibrate::SigmoidLoss>(k), 1.5,
                                       on.view(), on.grades, weights, a, b, host);
    };
    const calibrate::SigmoidTarget at = target(1.2, 0.3);
    CHECK(std::abs(all.value[k] / at.value - 1.0) < 1e-13);
    const double h = 1e-5;
    const double da = (target(1.2 + h, 0.3).value - target(1.2 - h, 0.3).value) / (2 * h);
    const double db = (target(1.2, 0.3 + h).value - target(1.2, 0.3 - h).value) / (2 * h);
    CHECK(std::abs(da / at.da - 1.0) < 1e-6);
    CHECK(std::abs(db / at.db - 1.0) < 1e-6);
  }
}

TEST_CASE("calibrators are the same on any number of threads, alone or together") {
  const Judged on = judged(60, 9);
  std::vector<calibrate::Method> methods;
  for (const auto kind :
       {calibrate::Kind::kNaive, calibrate::Kind::kLinear, calibrate::Kind::kLogistic,
        calibrate::Kind::kPolynomial, calibrate::Kind::kNetwork,
        calibrate::Kind::kGaussianProcess, calibrate::Kind::kIsotonic}) {
    calibrate::Method method;
    method.kind = kind;
    method.start.assign(31, 0.0);
    for (std::size_t j = 0; j < method.start.size(); ++j) {
      method.start[j] = 0.03 * static_cast<double>(j * j % 31) - 0.45;
    }
    methods.push_back(method);
    method.normalize = true;
    methods.push_back(method);
  }
  for (const auto target :
       {calibrate::Target::kLogSigmoid, calibrate::Target::kEntropyWeighted,
        calibrate::Target::kExpectedLoss, calibrate::Target::kExpectedLabelLoss,
        calibrate::Target::kSoftNdcg}) {
    calibrate::Method method;
    method.kind = calibrate::Kind::kSigmoid;
    method.target = target;
    method.exponent = 2.0;
    methods.push_back(method);
  }
  const std::vector<calibrate::Input> inputs{{on.view(), 5.0, methods}};
  auto numbers = [](const calibrate::Fitted& fitted) {
    std::vector<double> all;
    for (const auto& one : fitted) {
      for (const calibrate::Numbers& part : one->parameters()) {
        all.insert(all.end(), part.values.begin(), part.values.end());
      }
    }
    return all;
  };
  ThreadHost one(1);
  ThreadHost four(4);
  const std::vector<double> expected =
      numbers(calibrate::fit_all(inputs, on.judgements(), one)[0]);
  CHECK(numbers(calibrate::fit_all(inputs, on.judgements(), four)[0]) == expected);
  std::vector<double> serial;
  for (const calibrate::Method& method : methods) {
    const std::vector<calibrate::Input> single{{on.view(), 5.0, {method}}};
    const std::vector<double> own =
        numbers(calibrate::fit_all(single, on.judgements(), four)[0]);
    serial.insert(serial.end(), own.begin(), own.end());
  }
  CHECK(serial == expected);
  const auto scores = calibrate::crossfit_all(inputs, on.judgements(), 3, four);
  CHECK(calibrate::crossfit_all(inputs, on.judgements(), 3, one) == scores);
  CHECK(scores[0].size() == methods.size());
}

TEST_CASE("a calibrator is restored from its numbers") {
  const Judged on = judged(30, 10);
  ThreadHost host(2);
  calibrate::Method method;
  method.kind = calibrate::Kind::kGaussianProcess;
  const std::vector<calibrate::Input> inputs{{on.view(), 5.0, {method}}};
  const auto fitted = calibrate::fit_all(inputs, on.judgements(), host);
  const auto again =
      calibrate::make_calibration(method.kind, fitted[0][0]->parameters(), 4);
  CHECK(calibrate::scores_of(*again, on.view(), host) ==
        calibrate::scores_of(*fitted[0][0], on.view(), host));
  CHECK_THROWS_AS(calibrate::make_calibration(method.kind, fitted[0][0]->parameters(), 3),
                  rankmix::InvalidArgument);
  CHECK_THROWS_AS(calibrate::make_calibration(calibrate::Kind::kLinear, {}, 3),
                  rankmix::InvalidArgument);
}

TEST_CASE("calibration and aggregation have the same bits everywhere") {
  const Judged on = judged(700, 3);
  ThreadHost one(1);
  ThreadHost four(4);
  const std::vector<double> expected = all_values(on, one);
  CHECK(std::all_of(expected.begin(), expected.end(),
                    [](double value) { return std::isfinite(value); }));
  CHECK(all_values(on, four) == expected);
  rankmix::allow_avx2(false);
  CHECK(all_values(on, one) == expected);
  rankmix::allow_avx2(true);
}

TEST_CASE("normal equations and values match the basis functions") {
  const Judged on = judged(40, 4);
  const std::size_t rows = on.grades.size();
  ThreadHost host(2);
  const std::vector<double> lower(4, -1.0);
  const std::vector<double> upper(4, 1.0);
  const calibrate::PolynomialBasis basis(lower, upper, 2);
  CHECK(basis.size() == 15);
  std::vector<double> b(rows * 15);
  basis.values(on.view(), 0, rows, b.data());
  std::vector<double> targets(rows);
  std::vector<double> weights(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    targets[i] = std::sin(static_cast<double>(i));
    weights[i] = 0.5 + static_cast<double>(i % 3);
  }
  const auto equations =
      calibrate::normal_equations(basis, on.view(), targets, weights, host);
  std::vector<double> coefficients(15);
  for (std::size_t j = 0; j < 15; ++j) {
    coefficients[j] = 0.1 * static_cast<double>(j) - 0.3;
    double right = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      right += weights[i] * b[j * rows + i] * targets[i];
    }
    CHECK(std::abs(right - equations.right[j]) < 1e-9);
    for (std::size_t k = 0; k < 15; ++k) {
      double gram = 0.0;
      for (std::size_t i = 0; i < rows; ++i) {
        gram += weights[i] * b[j * rows + i] * b[k * rows + i];
      }
      // Only the lower half is compared.
      CHECK((k < j || std::abs(gram - equations.gram[j * 15 + k]) < 1e-9));
    }
  }
  std::vector<double> values(rows);
  calibrate::regression_values(basis, on.view(), coefficients, 0, rows, values.data());
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 15; ++j) {
      sum += coefficients[j] * b[j * rows + i];
    }
    CHECK(std::abs(sum - values[i]) < 1e-9);
  }
}

TEST_CASE("mix_first() mixes the first members for all ends at once") {
  constexpr std::size_t rows = 3000;
  std::mt19937_64 random(5);
  draw::Normal<double> normal;
  std::vector<std::vector<double>> members(5, std::vector<double>(rows));
  std::vector<const double*> pointers;
  for (auto& member : members) {
    std::generate(member.begin(), member.end(), [&] { return normal(random); });
    pointers.push_back(member.data());
  }
  const std::vector<int> order{3, 0, 4, 1, 2};
  const std::vector<double> weights{1.0, 0.5, 0.25, 0.0, 0.1};
  const std::vector<int> ends{1, 3, 5};
  ThreadHost host(3);
  std::vector<double> out(rows * 3);
  mix::mix_first(pointers, order, weights, ends, host, {out.data(), rows, 3});
  for (std::size_t k = 0; k < 3; ++k) {
    double worst = 0.0;
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0.0;
      double total = 0.0;
      for (std::size_t j = 0; j < static_cast<std::size_t>(ends[k]); ++j) {
        sum += weights[j] * members[static_cast<std::size_t>(order[j])][i];
        total += weights[j];
      }
      worst = std::max(worst, std::abs(out[k * rows + i] - sum / total));
    }
    CHECK(worst < 1e-14);
  }
  CHECK_THROWS_AS(
      mix::mix_first(pointers, {}, weights, ends, host, {out.data(), rows, 3}),
      rankmix::InvalidArgument);
}

TEST_CASE("grades without a discriminant are refused") {
  Judged on = judged(5, 6);
  ThreadHost host(1);
  on.grades[3] = 4;
  CHECK_THROWS_AS(calibrate::sigmoid_target(calibrate::SigmoidLoss::kLogSigmoid, 0.0,
                                            on.view(), on.grades, {}, 1.0, 0.0, host),
                  rankmix::InvalidArgument);
  CHECK_THROWS_AS(calibrate::soft_ndcg_target(0.01, on.held(), 1.0, 0.0,
                                              calibrate::Derivatives::kNone, host),
                  rankmix::InvalidArgument);
  on.grades[3] = 0;
  const std::vector<double> few(2, 1.0);
  CHECK_THROWS_AS(calibrate::sigmoid_target(calibrate::SigmoidLoss::kExpectedLoss, 0.0,
                                            on.view(), on.grades, few, 1.0, 0.0, host),
                  rankmix::InvalidArgument);
}
