#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/linear/mcsvm.h"
#include "core/linear/ridge.h"
#include "core/linear/scaling.h"
#include "core/linear/simplex.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::MatrixView;
using rankmix::SparseView;
using rankmix::View;
namespace linear = rankmix::linear;

namespace {

struct Cloud {
  std::size_t rows;
  std::size_t columns;
  std::vector<double> x;
  std::vector<int> grades;

  MatrixView<const double> view() const { return {x.data(), rows, columns}; }
};

Cloud cloud(std::size_t rows, std::size_t columns, int classes, unsigned seed) {
  Cloud made{rows, columns, std::vector<double>(rows * columns), std::vector<int>(rows)};
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (double& value : made.x) {
    value = normal(random);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double utility = made.x[i] + normal(random);
    made.grades[i] = std::min(classes - 1, std::max(0, static_cast<int>(utility + 1.0)));
  }
  return made;
}

std::vector<linear::McsvmModel> path(const Cloud& on, rankmix::Host& host) {
  const auto features = linear::features_of(
      on.view(), linear::find_scaling(on.view(), linear::ScalingRule::kStandard, host));
  linear::Mcsvm machine(*features, on.grades, {}, 4);
  std::vector<linear::McsvmModel> models;
  for (double cost : {1e-3, 1.0}) {
    linear::McsvmOptions options;
    options.cost = cost;
    models.push_back(machine.solve(options, host));
  }
  return models;
}

bool same(const std::vector<linear::McsvmModel>& a,
          const std::vector<linear::McsvmModel>& b) {
  return a[0].weights == b[0].weights && a[1].weights == b[1].weights &&
         a[1].primal == b[1].primal && a[1].dual == b[1].dual;
}

struct Regression {
  Eigen::MatrixXd x;
  std::vector<double> targets;
  std::vector<double> weights;

  std::size_t rows() const { return static_cast<std::size_t>(x.rows()); }
  std::size_t columns() const { return static_cast<std::size_t>(x.cols()); }
  MatrixView<const double> view() const { return {x.data(), rows(), columns()}; }
};

Regression regression(std::size_t rows, std::size_t columns, unsigned seed) {
  Regression made;
  made.x.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  std::mt19937_64 random(seed);
  draw::Normal<double> normal;
  for (Eigen::Index j = 0; j < made.x.cols(); ++j) {
    const double scale = std::pow(10.0, static_cast<double>(j % 4) - 2.0);
    for (Eigen::Index i = 0; i < made.x.rows(); ++i) {
      made.x(i, j) = scale * (normal(random) + 3.0);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    made.targets.push_back(normal(random) + 7.0 +
                           made.x(static_cast<Eigen::Index>(i), 0) * 40.0);
    made.weights.push_back(static_cast<double>(random() % 4) / 2.0);
  }
  made.weights[0] = 1.0;
  return made;
}

linear::RidgePath ridge(const Regression& of, const std::vector<double>& penalties,
                        rankmix::Host& host) {
  return linear::ridge_path(
      *linear::features_of(
          of.view(), linear::find_scaling(of.view(), linear::ScalingRule::kStandard, host,
                                          of.weights)),
      of.targets, of.weights, penalties, host);
}

// The reference implementation multiplies rows by the square roots of their weights. It
// appends rows with the square roots of the penalty. An orthogonal decomposition finds
// the solution of least norm. Returns the weights of unscaled features, with the
// intercept last.
Eigen::VectorXd naive_ridge(const Regression& of, double penalty) {
  const Eigen::Index n = of.x.rows();
  const Eigen::Index p = of.x.cols();
  Eigen::ArrayXd fractions = Eigen::ArrayXd::Ones(n);
  for (std::size_t i = 0; i < of.weights.size(); ++i) {
    fractions[static_cast<Eigen::Index>(i)] = of.weights[i];
  }
  fractions /= fractions.sum();
  Eigen::MatrixXd z = of.x;
  Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(of.targets.data(), n);
  const double middle = (fractions * y.array()).sum();
  y.array() -= middle;
  Eigen::VectorXd centers(p);
  Eigen::VectorXd units(p);
  for (Eigen::Index j = 0; j < p; ++j) {
    centers[j] = (fractions * z.col(j).array()).sum();
    z.col(j).array() -= centers[j];
    units[j] = std::sqrt((fractions * z.col(j).array().square()).sum());
    units[j] = units[j] > 1e-10 * std::abs(centers[j]) ? units[j] : 0.0;
    z.col(j) *= units[j] > 0.0 ? 1.0 / units[j] : 0.0;
  }
  Eigen::MatrixXd left(n + p, p);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + p);
  left.topRows(n) = fractions.sqrt().matrix().asDiagonal() * z;
  left.bottomRows(p) = std::sqrt(penalty) * Eigen::MatrixXd::Identity(p, p);
  right.head(n) = fractions.sqrt() * y.array();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-10);
  solver.compute(left);
  const Eigen::VectorXd solution = solver.solve(right);
  Eigen::VectorXd result(p + 1);
  for (Eigen::Index j = 0; j < p; ++j) {
    result[j] = units[j] > 0.0 ? solution[j] / units[j] : 0.0;
  }
  result[p] = middle - result.head(p).dot(centers);
  return result;
}

// The largest difference of fitted values and of weights. Differences of weights are
// multiplied by the sizes of the features.
double difference(const Regression& of, const linear::RidgePath& path, std::size_t at,
                  const Eigen::VectorXd& expected) {
  const Eigen::Index p = of.x.cols();
  const Eigen::Map<const Eigen::VectorXd> weights(path.weights.data() + at * of.columns(),
                                                  p);
  const Eigen::VectorXd off = weights - expected.head(p);
  const Eigen::VectorXd sizes = of.x.cwiseAbs().colwise().maxCoeff();
  const Eigen::ArrayXd fitted =
      (of.x * off).array() + (path.intercepts[at] - expected[p]);
  return std::max(fitted.abs().maxCoeff(), off.cwiseProduct(sizes).cwiseAbs().maxCoeff());
}

double difference(const Regression& of, const linear::RidgePath& path, std::size_t at,
                  const linear::RidgePath& other) {
  Eigen::VectorXd expected(of.x.cols() + 1);
  std::copy_n(other.weights.begin() + static_cast<std::ptrdiff_t>(at * of.columns()),
              of.columns(), expected.data());
  expected[of.x.cols()] = other.intercepts[at];
  return difference(of, path, at, expected);
}

const std::vector<double> some_penalties = {1.0, 0.0, 1e-3, 50.0};

// Numbers are about 100, with rounding errors of 1e-14. Covariance matrices with
// condition numbers up to 1,000 amplify these errors.
constexpr double kRounding = 1e-11;

}  // namespace

// Ridge regression by products with the features, although there are few features.
linear::RidgePath ridge_without_matrix(const Regression& of,
                                       const std::vector<double>& penalties,
                                       rankmix::Host& host) {
  linear::RidgeOptions options;
  options.columns = of.columns();
  options.max_decomposed = 1;
  return linear::ridge_path(
      *linear::features_of(
          of.view(), linear::find_scaling(of.view(), linear::ScalingRule::kStandard, host,
                                          of.weights)),
      of.targets, of.weights, penalties, host, options);
}

TEST_CASE("the projection to the simplex has the required properties") {
  std::mt19937_64 random(1);
  draw::Normal<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 2 + random() % 6;
    std::vector<double> u(count);
    std::vector<double> a(count);
    for (double& value : u) {
      value = 2.0 * normal(random);
    }
    const std::size_t support = linear::project_to_simplex(u.data(), count, a.data());
    double sum = 0.0;
    double shift = 0.0;
    std::size_t positive = 0;
    for (std::size_t k = 0; k < count; ++k) {
      sum += a[k];
      shift += a[k] > 0.0 ? (u[k] - a[k]) / static_cast<double>(support) : 0.0;
      positive += a[k] > 0.0 ? 1 : 0;
    }
    CHECK((std::abs(sum - 1.0) < 1e-12 && positive == support));
    // Positive elements have the same shift. Elements of 0 are below this shift.
    bool optimal = true;
    for (std::size_t k = 0; k < count; ++k) {
      optimal = optimal && (a[k] > 0.0 ? std::abs(u[k] - a[k] - shift) < 1e-12
                                       : u[k] <= shift + 1e-12);
    }
    CHECK(optimal);
  }
}

TEST_CASE("support vector machines have the same bits on any number of threads") {
  const Cloud on = cloud(30000, 9, 4, 2);
  ThreadHost one(1);
  ThreadHost two(2);
  ThreadHost four(4);
  const auto expected = path(on, one);
  CHECK(expected[1].status == rankmix::optimize::Status::kConverged);
  CHECK(same(path(on, two), expected));
  CHECK(same(path(on, four), expected));
  rankmix::allow_avx2(false);
  CHECK(same(path(on, two), expected));
  rankmix::allow_avx2(true);
}

TEST_CASE("impossible support vector machines are refused") {
  const Cloud on = cloud(50, 3, 3, 3);
  ThreadHost host(1);
  const auto features = linear::features_of(
      on.view(), linear::find_scaling(on.view(), linear::ScalingRule::kNone, host));
  CHECK_THROWS_AS(linear::Mcsvm(*features, on.grades, {}, 1), rankmix::InvalidArgument);
  CHECK_THROWS_AS(linear::Mcsvm(*features, std::vector<int>(7), {}, 3),
                  rankmix::InvalidArgument);
  linear::Mcsvm machine(*features, on.grades, {}, 3);
  linear::McsvmOptions options;
  options.cost = 0.0;
  CHECK_THROWS_AS(machine.solve(options, host), rankmix::InvalidArgument);
}

TEST_CASE("a path of ridge regressions equals orthogonal decompositions") {
  ThreadHost host(1);
  // More documents than features, as many documents as features, and fewer documents.
  for (std::size_t rows : {200, 9, 5}) {
    for (bool weighted : {false, true}) {
      Regression of = regression(rows, 9, static_cast<unsigned>(rows));
      if (!weighted) {
        of.weights.clear();
      }
      const linear::RidgePath path = ridge(of, some_penalties, host);
      CHECK(path.status == rankmix::optimize::Status::kConverged);
      for (std::size_t at = 0; at < some_penalties.size(); ++at) {
        CHECK(difference(of, path, at, naive_ridge(of, some_penalties[at])) < kRounding);
      }
      const auto documents = static_cast<std::size_t>(
          weighted ? std::count_if(of.weights.begin(), of.weights.end(),
                                   [](double w) { return w > 0.0; })
                   : static_cast<std::ptrdiff_t>(rows));
      CHECK(path.rank == std::min<std::size_t>(9, documents - 1));
      CHECK(std::abs(path.freedom[1] - 1.0 - static_cast<double>(path.rank)) < kRounding);
      CHECK((path.freedom[3] < path.freedom[0] && path.freedom[0] < path.freedom[2]));
    }
  }
}

TEST_CASE("copies of a feature share its weight, and constant features have weight 0") {
  ThreadHost host(1);
  Regression of = regression(120, 8, 21);
  of.x.col(3) = of.x.col(0);
  of.x.col(5) = 2.0 * of.x.col(1) - 0.5 * of.x.col(2);
  of.x.col(6).setConstant(0.1);
  const linear::RidgePath path = ridge(of, some_penalties, host);
  CHECK(path.rank == 5);
  for (std::size_t at = 0; at < some_penalties.size(); ++at) {
    CHECK(path.weights[at * 8 + 6] == 0.0);
    CHECK(std::abs(path.weights[at * 8 + 3] - path.weights[at * 8]) <
          kRounding * std::abs(path.weights[at * 8]));
    CHECK(difference(of, path, at, naive_ridge(of, some_penalties[at])) < kRounding);
  }
  // If all features are constant, or there are no features, the prediction is the mean
  // of the targets.
  Regression flat = regression(20, 2, 22);
  flat.x.setConstant(3.0);
  const double mean = std::inner_product(flat.targets.begin(), flat.targets.end(),
                                         flat.weights.begin(), 0.0) /
                      std::accumulate(flat.weights.begin(), flat.weights.end(), 0.0);
  for (int columns : {2, 0}) {
    flat.x.conservativeResize(20, columns);
    const linear::RidgePath constant = ridge(flat, {0.0}, host);
    CHECK((constant.rank == 0 && constant.freedom[0] == 1.0));
    CHECK(std::abs(constant.intercepts[0] - mean) < 1e-12 * mean);
  }
}

TEST_CASE(
    "ridge regression is invariant to feature scales, except for the penalty's unit") {
  ThreadHost host(1);
  const Regression of = regression(80, 5, 23);
  const auto raw = linear::features_of(
      of.view(), linear::find_scaling(of.view(), linear::ScalingRule::kNone, host));
  const linear::RidgePath plain =
      linear::ridge_path(*raw, of.targets, of.weights, View<const double>(), host);
  CHECK((plain.weights.empty() && plain.rank == 5));
  const std::vector<double> none = {0.0};
  const linear::RidgePath as_they_are =
      linear::ridge_path(*raw, of.targets, of.weights, none, host);
  CHECK(difference(of, as_they_are, 0, ridge(of, none, host)) < 1e-6);
}

TEST_CASE("ridge regressions have the same bits on any number of threads") {
  const Regression of = regression(30000, 12, 24);
  ThreadHost one(1);
  ThreadHost two(2);
  ThreadHost four(4);
  const linear::RidgePath expected = ridge(of, some_penalties, one);
  auto same = [&](const linear::RidgePath& path) {
    return path.weights == expected.weights && path.intercepts == expected.intercepts &&
           path.freedom == expected.freedom;
  };
  CHECK(same(ridge(of, some_penalties, two)));
  CHECK(same(ridge(of, some_penalties, four)));
  rankmix::allow_avx2(false);
  CHECK(same(ridge(of, some_penalties, two)));
  rankmix::allow_avx2(true);
  for (std::size_t at = 0; at < some_penalties.size(); ++at) {
    CHECK(difference(of, expected, at, naive_ridge(of, some_penalties[at])) < kRounding);
  }
}

TEST_CASE("document weights equal copies, and row order changes only rounding") {
  ThreadHost host(1);
  Regression of = regression(90, 6, 25);
  for (std::size_t i = 0; i < 90; ++i) {
    of.weights[i] = static_cast<double>(i % 3);
  }
  of.x.row(0).setConstant(1e6);  // of weight 0
  const linear::RidgePath weighted = ridge(of, some_penalties, host);
  Regression copied = of;
  copied.x.resize(90, 6);
  copied.targets.clear();
  copied.weights.clear();
  Eigen::Index row = 0;
  for (Eigen::Index i = 89; i >= 0; --i) {
    for (int copy = 0; copy < i % 3; ++copy) {
      copied.x.row(row++) = of.x.row(i);
      copied.targets.push_back(of.targets[static_cast<std::size_t>(i)]);
    }
  }
  copied.x.conservativeResize(row, 6);
  const linear::RidgePath plain = ridge(copied, some_penalties, host);
  for (std::size_t at = 0; at < some_penalties.size(); ++at) {
    CHECK(difference(copied, plain, at, weighted) < kRounding);
    CHECK(std::abs(plain.freedom[at] - weighted.freedom[at]) < kRounding);
  }
}

TEST_CASE("sparse and dense features give the same ridge regression") {
  ThreadHost host(2);
  Regression of = regression(150, 6, 26);
  of.x = (of.x.array().abs() > 0.035).select(of.x, 0.0);
  of.x.col(4).setConstant(0.1);  // constant among the rows of positive weight
  for (Eigen::Index i = 0; i < 150; ++i) {
    of.x(i, 4) = of.weights[static_cast<std::size_t>(i)] > 0.0 ? 0.1 : 0.0;
  }
  std::vector<double> values;
  std::vector<int> row_of;
  std::vector<int> starts = {0};
  for (Eigen::Index j = 0; j < 6; ++j) {
    for (Eigen::Index i = 0; i < 150; ++i) {
      if (of.x(i, j) != 0.0) {
        values.push_back(of.x(i, j));
        row_of.push_back(static_cast<int>(i));
      }
    }
    starts.push_back(static_cast<int>(values.size()));
  }
  CHECK(values.size() < 800);
  const SparseView sparse(values, row_of, starts, 150);
  const auto features = linear::features_of(
      sparse,
      linear::find_scaling(sparse, linear::ScalingRule::kStandard, host, of.weights));
  const linear::RidgePath path =
      linear::ridge_path(*features, of.targets, of.weights, some_penalties, host);
  CHECK(path.rank == 5);
  const linear::RidgePath dense = ridge(of, some_penalties, host);
  for (std::size_t at = 0; at < some_penalties.size(); ++at) {
    CHECK(path.weights[at * 6 + 4] == 0.0);
    CHECK(difference(of, path, at, dense) < kRounding);
    CHECK(difference(of, path, at, naive_ridge(of, some_penalties[at])) < kRounding);
  }
}

TEST_CASE("many equal numbers are constant in spite of rounding of their sum") {
  ThreadHost host(1);
  const std::vector<double> same(2000000, 0.1);
  const MatrixView<const double> x(same.data(), same.size(), 1);
  // The rounding error of the mean exceeds the usual tolerance for rounding.
  const double mean = std::accumulate(same.begin(), same.end(), 0.0) / 2e6;
  CHECK(std::abs(mean - 0.1) > 1e-13);
  const auto scaling = linear::find_scaling(x, linear::ScalingRule::kStandard, host);
  CHECK(scaling.factor[0] == 0.0);
}

TEST_CASE("impossible ridge regressions are refused, and long ones can be interrupted") {
  ThreadHost host(1);
  const Regression of = regression(30, 3, 27);
  auto features = [&](bool bias) {
    auto scaling = linear::find_scaling(of.view(), linear::ScalingRule::kStandard, host);
    scaling.bias = bias;
    return linear::features_of(of.view(), scaling);
  };
  const auto plain = features(false);
  const std::vector<double> one = {1.0};
  auto refused = [&](const linear::Features& x, const std::vector<double>& targets,
                     const std::vector<double>& weights,
                     const std::vector<double>& penalties) {
    CHECK_THROWS_AS(linear::ridge_path(x, targets, weights, penalties, host),
                    rankmix::InvalidArgument);
  };
  refused(*features(true), of.targets, {}, one);
  refused(*plain, std::vector<double>(7), {}, one);
  refused(*plain, of.targets, std::vector<double>(29, 1.0), one);
  refused(*plain, of.targets, std::vector<double>(30, 0.0), one);
  refused(*plain, of.targets, std::vector<double>(30, -1.0), one);
  refused(*plain, of.targets, std::vector<double>(30, 1e308), one);
  refused(*plain, of.targets, {}, {-1.0});
  refused(*plain, of.targets, {}, {std::numeric_limits<double>::infinity()});
  refused(*plain, std::vector<double>(30, std::nan("")), {}, one);
  host.interrupt_after(1);
  CHECK_THROWS_AS(linear::ridge_path(*plain, of.targets, {}, one, host),
                  rankmix::Interrupted);
}

TEST_CASE("ridge regressions by products equal those by eigenvectors") {
  ThreadHost host(1);
  // More documents than features, and fewer.
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{200, 30},
                                      std::pair<std::size_t, std::size_t>{40, 90}}) {
    const Regression of = regression(rows, columns, 7);
    const linear::RidgePath exact = ridge(of, some_penalties, host);
    const linear::RidgePath path = ridge_without_matrix(of, some_penalties, host);
    CHECK(path.status == rankmix::optimize::Status::kConverged);
    for (std::size_t at = 0; at < some_penalties.size(); ++at) {
      CHECK(difference(of, path, at, exact) < 1e-4);
      CHECK(difference(of, path, at, naive_ridge(of, some_penalties[at])) < 1e-4);
      CHECK(std::abs(path.freedom[at] - exact.freedom[at]) <
            4.0 * std::sqrt(exact.freedom[at]));
    }
  }
}

TEST_CASE("ridge regressions by products have the same bits on any threads") {
  const Regression of = regression(20000, 3, 8);
  ThreadHost one(1);
  ThreadHost four(4);
  const linear::RidgePath a = ridge_without_matrix(of, some_penalties, one);
  const linear::RidgePath b = ridge_without_matrix(of, some_penalties, four);
  CHECK(
      (a.weights == b.weights && a.intercepts == b.intercepts && a.freedom == b.freedom));
  ThreadHost impatient(1);
  impatient.interrupt_after(2);
  CHECK_THROWS_AS(ridge_without_matrix(of, some_penalties, impatient),
                  rankmix::Interrupted);
}
