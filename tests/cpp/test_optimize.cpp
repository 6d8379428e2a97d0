#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/base/errors.h"
#include "core/base/rounding.h"
#include "core/optimize/conjugate_gradients.h"
#include "core/optimize/linear_loss.h"
#include "core/optimize/newton.h"
#include "core/optimize/nonlinear_cg.h"
#include "draw.h"
#include "thread_host.h"

using rankmix::optimize::Descent;
using rankmix::optimize::DescentOptions;
using rankmix::optimize::Function;
using rankmix::optimize::LineEnd;
using rankmix::optimize::LinePoint;
using rankmix::optimize::LineSearchOptions;
using rankmix::optimize::LineStep;
using rankmix::optimize::Operator;
using rankmix::optimize::PlainFunction;
using rankmix::optimize::Status;
using rankmix::optimize::Stop;
using rankmix::optimize::Vector;
namespace optimize = rankmix::optimize;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Eigen::Map<const Eigen::VectorXd> eigen(const Vector& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
Vector vector_of(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

double distance(const Vector& a, const Vector& b) { return (eigen(a) - eigen(b)).norm(); }

// A quadratic function. The logarithms of its eigenvalues are evenly spaced, from 1 to
// `condition`.
struct Quadratic {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;

  Quadratic(int size, double condition, unsigned seed) {
    std::mt19937_64 random(seed);
    draw::Normal<double> normal;
    auto draw = [&] { return normal(random); };
    const Eigen::MatrixXd any = Eigen::MatrixXd::NullaryExpr(size, size, draw);
    const Eigen::MatrixXd turn =
        Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ();
    Eigen::VectorXd values(size);
    for (int i = 0; i < size; ++i) {
      values[i] = std::pow(condition, i / std::max(1.0, size - 1.0));
    }
    matrix = turn * values.asDiagonal() * turn.transpose();
    right = Eigen::VectorXd::NullaryExpr(size, draw);
  }
  Vector solution() const { return vector_of(matrix.llt().solve(right)); }
  Operator product() const {
    return [this](const Vector& v) { return vector_of(matrix * eigen(v)); };
  }
  PlainFunction::Evaluate value() const {
    return [this](const Vector& x, Vector& gradient) {
      const Eigen::VectorXd product = matrix * eigen(x);
      gradient = vector_of(product - right);
      return 0.5 * eigen(x).dot(product) - right.dot(eigen(x));
    };
  }
};

// The sum over neighbours of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2, with the minimum
// where all unknowns are 1.
double rosenbrock(const Vector& x, Vector& gradient) {
  double value = 0.0;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double bend = x[i + 1] - x[i] * x[i];
    const double rest = 1.0 - x[i];
    value += 100.0 * bend * bend + rest * rest;
    gradient[i] -= 400.0 * bend * x[i] + 2.0 * rest;
    gradient[i + 1] += 200.0 * bend;
  }
  return value;
}
Vector rosenbrock_hessian_times(const Vector& x, const Vector& v) {
  Vector product(x.size(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double own = 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0;
    product[i] += own * v[i] - 400.0 * x[i] * v[i + 1];
    product[i + 1] += 200.0 * v[i + 1] - 400.0 * x[i] * v[i];
  }
  return product;
}
Vector rosenbrock_start(std::size_t size) {
  Vector start(size, 1.0);
  for (std::size_t i = 0; i < size; i += 2) {
    start[i] = -1.2;
  }
  return start;
}

// Forwards calls to a function, and checks that each step satisfies the conditions of the
// line search.
class Watched : public Function {
 public:
  Watched(Function& of, LineSearchOptions options, bool wolfe)
      : of_(of), options_(options), wolfe_(wolfe) {}

  const Vector& point() const override { return of_.point(); }
  double evaluate(Vector& gradient) override {
    value_ = of_.evaluate(gradient);
    if (moved_) {
      // The value at the new point equals the value along the line, up to rounding.
      same_ += std::abs(value_ - taken_.value) <= rankmix::rounding_of(value_) ? 1 : 0;
    }
    gradient_ = gradient;
    moved_ = false;
    return value_;
  }
  void set_direction(const Vector& direction) override {
    of_.set_direction(direction);
    derivative_before_ = optimize::dot(gradient_, direction);
  }
  LinePoint along(double step) override {
    seen_.push_back(of_.along(step));
    ++looks_;
    return seen_.back();
  }
  void move(double step) override {
    for (const LinePoint& at : seen_) {
      taken_ = at.step == step ? at : taken_;
    }
    const double least = value_ + options_.decrease * step * derivative_before_ +
                         (wolfe_ ? rankmix::rounding_of(value_) : 0.0);
    low_ += taken_.step == step && taken_.value <= least ? 1 : 0;
    flat_ +=
        std::abs(taken_.derivative) <= -options_.curvature * derivative_before_ ? 1 : 0;
    ++steps_;
    seen_.clear();
    moved_ = true;
    of_.move(step);
  }

  bool kept(const Descent& result) const {
    return steps_ == result.steps && low_ == steps_ && same_ == steps_ &&
           (!wolfe_ || flat_ == steps_) && looks_ + 1 == result.evaluations;
  }

 private:
  Function& of_;
  LineSearchOptions options_;
  bool wolfe_;
  Vector gradient_;
  double value_ = 0.0;
  double derivative_before_ = 0.0;
  std::vector<LinePoint> seen_;
  LinePoint taken_;
  bool moved_ = false;
  std::size_t steps_ = 0;
  std::size_t low_ = 0;
  std::size_t flat_ = 0;
  std::size_t same_ = 0;
  std::size_t looks_ = 0;
};

// All minimisers with the same interface. Without a Hessian only the first is used.
enum class Method { kNonlinearCg, kNewton, kNewtonBacktrack };

Descent minimise(Method method, Function& function, const Operator& hessian,
                 DescentOptions options, rankmix::Host& host, const Stop& stop = {}) {
  if (method == Method::kNonlinearCg) {
    optimize::NonlinearCgOptions conjugate;
    options.line.curvature = conjugate.descent.line.curvature;
    conjugate.descent = options;
    return minimise_nonlinear_cg(function, conjugate, host, stop);
  }
  optimize::NewtonOptions newton;
  if (method == Method::kNewtonBacktrack) {
    options.search = optimize::Search::kBacktrack;
  }
  newton.descent = options;
  return minimise_newton(function, hessian, newton, host, stop);
}

constexpr Method kAll[] = {Method::kNonlinearCg, Method::kNewton,
                           Method::kNewtonBacktrack};
constexpr Method kWithoutHessian[] = {Method::kNonlinearCg};

Watched watched(Function& function, Method method, const DescentOptions& options) {
  LineSearchOptions line = options.line;
  if (method == Method::kNonlinearCg) {
    line.curvature = optimize::NonlinearCgOptions().descent.line.curvature;
  }
  return {function, line, method != Method::kNewtonBacktrack};
}

// sum_i log(1 + exp(-y_i z_i)) + penalty / 2 |w|^2 with z = X w. The columns of X have
// very different scales.
struct Logistic {
  Eigen::MatrixXd x;
  Eigen::VectorXd signs;
  double penalty = 0.1;

  explicit Logistic(unsigned seed) : x(300, 8), signs(300) {
    std::mt19937_64 random(seed);
    draw::Normal<double> normal;
    for (int i = 0; i < x.rows(); ++i) {
      for (int j = 0; j < x.cols(); ++j) {
        x(i, j) = normal(random) * std::pow(10.0, -2.0 + 0.5 * j);
      }
      signs[i] = x(i, 4) + 0.5 * normal(random) > 0.0 ? 1.0 : -1.0;
    }
  }
  double value(const Vector& z, Vector& gradients) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double sign = signs[static_cast<Eigen::Index>(i)];
      const double margin = sign * z[i];
      sum += margin > 0.0 ? std::log1p(std::exp(-margin))
                          : std::log1p(std::exp(margin)) - margin;
      gradients[i] = -sign / (1.0 + std::exp(margin));
    }
    return sum;
  }
  static double curvature(double z) {
    const double fraction = 1.0 / (1.0 + std::exp(-std::abs(z)));
    return fraction * (1.0 - fraction);
  }
  optimize::LinearLoss parts(int* products) const {
    optimize::LinearLoss made;
    made.multiply = [this, products](const Vector& w) {
      ++*products;
      return vector_of(x * eigen(w));
    };
    made.multiply_transposed = [this](const Vector& s) {
      return vector_of(x.transpose() * eigen(s));
    };
    made.loss = [this](const Vector& z, Vector& gradients) {
      return value(z, gradients);
    };
    made.penalty = penalty;
    return made;
  }
  // The reference: Newton's method with the full Hessian and halved steps, until the
  // weights do not change.
  Vector by_dense_newton(const Vector& center) const {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(x.cols());
    const Eigen::VectorXd middle =
        center.empty() ? Eigen::VectorXd(w) : Eigen::VectorXd(eigen(center));
    auto objective = [&](const Eigen::VectorXd& at, Vector& gradients) {
      return value(vector_of(x * at), gradients) +
             0.5 * penalty * (at - middle).squaredNorm();
    };
    Vector gradients(static_cast<std::size_t>(x.rows()));
    Vector ignored(gradients.size());
    for (int step = 0; step < 100; ++step) {
      const double now = objective(w, gradients);
      const Eigen::VectorXd hessians =
          (x * w).unaryExpr([](double z) { return curvature(z); });
      Eigen::MatrixXd hessian = x.transpose() * hessians.asDiagonal() * x;
      hessian.diagonal().array() += penalty;
      const Eigen::VectorXd gradient =
          x.transpose() * eigen(gradients) + penalty * (w - middle);
      Eigen::VectorXd move = -hessian.llt().solve(gradient);
      while (objective(w + move, ignored) > now && move.norm() > 1e-16) {
        move *= 0.5;
      }
      w += move;
    }
    return vector_of(w);
  }
};

}  // namespace

TEST_CASE("conjugate gradients solve n equations in n steps") {
  ThreadHost host(1);
  for (int size : {1, 2, 5, 12}) {
    const Quadratic of(size, 10.0, static_cast<unsigned>(size));
    const Vector right = vector_of(of.right);
    const auto found =
        optimize::conjugate_gradients(of.product(), right, {1e-8, 100}, host);
    CHECK(found.status == Status::kConverged);
    CHECK(found.steps <= static_cast<std::size_t>(size));
    CHECK(distance(found.x, of.solution()) <= 1e-8 * optimize::norm(right));
    const Eigen::VectorXd left = of.matrix * eigen(found.x) - of.right;
    CHECK(std::abs(left.norm() - found.residual) <= 1e-12 * optimize::norm(right));
  }
}

TEST_CASE("a good preconditioner reduces the steps of conjugate gradients") {
  ThreadHost host(1);
  Quadratic of(40, 3.0, 2);
  Eigen::VectorXd scales(40);
  for (int i = 0; i < 40; ++i) {
    scales[i] = std::pow(10.0, i % 5);
  }
  of.matrix = scales.asDiagonal() * of.matrix * scales.asDiagonal();
  const Vector right = vector_of(of.right);
  const Operator by_diagonal = [&](const Vector& v) {
    return vector_of(eigen(v).cwiseQuotient(of.matrix.diagonal()));
  };
  const optimize::ConjugateGradientsOptions options{1e-8, 2000};
  const auto plain = optimize::conjugate_gradients(of.product(), right, options, host);
  const auto better =
      optimize::conjugate_gradients(of.product(), right, options, host, by_diagonal);
  CHECK(better.status == Status::kConverged);
  CHECK(better.steps < plain.steps / 2);
  CHECK((of.matrix * eigen(better.x) - of.right).norm() <= 2e-8 * optimize::norm(right));
}

TEST_CASE("conjugate gradients report when they end early") {
  ThreadHost host(1);
  const Quadratic of(30, 1e6, 3);
  const Vector right = vector_of(of.right);
  const auto limited =
      optimize::conjugate_gradients(of.product(), right, {1e-8, 4}, host);
  CHECK((limited.status == Status::kLimit && limited.steps == 4));
  // The quadratic form is x1^2 - x2^2. Its second derivative along the first direction
  // from (1, 2) is negative.
  const Operator saddle = [](const Vector& v) { return Vector{v[0], -v[1]}; };
  const auto stalled = optimize::conjugate_gradients(saddle, {1.0, 2.0}, {1e-8, 9}, host);
  CHECK((stalled.status == Status::kStalled && stalled.x == (Vector{1.0, 2.0})));
  const auto later = optimize::conjugate_gradients(saddle, {2.0, 1.0}, {1e-8, 9}, host);
  CHECK((later.status == Status::kStalled && later.steps == 2));
  CHECK(optimize::dot(later.x, {2.0, 1.0}) > 0.0);
  const Operator broken = [](const Vector& v) { return Vector(v.size(), kNan); };
  const auto nowhere = optimize::conjugate_gradients(broken, {1.0, 2.0}, {1e-8, 9}, host);
  CHECK((nowhere.status == Status::kStalled && nowhere.x == (Vector{1.0, 2.0})));
  const auto zero =
      optimize::conjugate_gradients(of.product(), Vector(30, 0.0), {}, host);
  CHECK((zero.status == Status::kConverged && zero.steps == 0));
  host.interrupt_after(2);
  CHECK_THROWS_AS(optimize::conjugate_gradients(of.product(), right, {1e-8, 99}, host),
                  rankmix::Interrupted);
}

TEST_CASE("a line search finds steps that satisfy the Wolfe conditions") {
  std::mt19937_64 random(4);
  draw::Normal<double> normal;
  // A parabola plus a wave has many minima, and derivatives of both signs.
  int wolfe = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const double wave = 3.0 * std::abs(normal(random));
    const double speed = 1.0 + 4.0 * std::abs(normal(random));
    const double width = std::exp(3.0 * normal(random));
    const double first = std::exp(4.0 * normal(random));
    const double shift = normal(random);
    auto line = [&](double step) {
      const double t = step / width;
      return LinePoint{
          step, t * t - 4.0 * t + wave * std::sin(speed * t + shift),
          (2.0 * t - 4.0 + wave * speed * std::cos(speed * t + shift)) / width};
    };
    const LinePoint start = line(0.0);
    LineSearchOptions options;
    options.curvature = trial % 2 == 0 ? 0.9 : 0.1;
    const LineStep found = optimize::strong_wolfe(line, start, first, options);
    if (!(start.derivative < 0.0)) {
      CHECK((found.end == LineEnd::kNone && found.evaluations == 0));
      continue;
    }
    const LinePoint at = line(found.at.step);
    CHECK((found.end == LineEnd::kWolfe && at.value == found.at.value));
    CHECK(at.value <= start.value + options.decrease * at.step * start.derivative +
                          rankmix::rounding_of(start.value));
    CHECK(std::abs(at.derivative) <= options.curvature * std::abs(start.derivative));
    const LineStep shorter = optimize::backtrack(line, start, first, options);
    CHECK((shorter.end == LineEnd::kDecrease && shorter.at.step <= first));
    CHECK(shorter.at.value <=
          start.value + options.decrease * shorter.at.step * start.derivative);
    ++wolfe;
  }
  CHECK(wolfe > 100);
}

TEST_CASE("a line search is exact for a parabola") {
  auto line = [](double step) {
    return LinePoint{step, (step - 3.0) * (step - 3.0), 2.0 * (step - 3.0)};
  };
  for (double first : {0.1, 1.0, 2.9, 3.1, 50.0}) {
    LineSearchOptions options;
    options.decrease = 1e-9;
    options.curvature = 1e-8;
    const LineStep found = optimize::strong_wolfe(line, line(0.0), first, options);
    CHECK((found.end == LineEnd::kWolfe && std::abs(found.at.step - 3.0) < 1e-7));
    CHECK(found.evaluations <= 6);
  }
}

TEST_CASE("a line search avoids values that are not finite") {
  // A function that is not defined from 1 on, with its minimum at 0.9.
  auto wall = [](double step) {
    return step >= 1.0 ? LinePoint{step, kNan, kNan}
                       : LinePoint{step, -0.1 * std::log(1.0 - step) - step,
                                   0.1 / (1.0 - step) - 1.0};
  };
  for (double first : {0.1, 0.95, 1.0, 7.0, 1e6}) {
    LineSearchOptions options;
    options.curvature = 0.1;
    const LineStep found = optimize::strong_wolfe(wall, wall(0.0), first, options);
    CHECK((found.end == LineEnd::kWolfe && std::abs(found.at.derivative) <= 0.1 * 0.9));
    const LineStep shorter = optimize::backtrack(wall, wall(0.0), first, options);
    CHECK((shorter.end == LineEnd::kDecrease && shorter.at.value < 0.0));
  }
  auto nowhere = [](double step) { return LinePoint{step, kNan, -1.0}; };
  auto downward = [](double step) { return LinePoint{step, -kInfinity, -1.0}; };
  const LinePoint start{0.0, 0.0, -1.0};
  CHECK(optimize::strong_wolfe(nowhere, start, 1.0, {}).end == LineEnd::kNone);
  CHECK(optimize::backtrack(nowhere, start, 1.0, {}).end == LineEnd::kNone);
  CHECK(optimize::strong_wolfe(downward, start, 1.0, {}).end == LineEnd::kNone);
  CHECK(optimize::backtrack(downward, start, 1.0, {}).end == LineEnd::kNone);
  // Invalid starts: the line does not descend, or numbers are not finite.
  for (const LinePoint& bad : {LinePoint{0.0, 0.0, 1.0}, LinePoint{0.0, 0.0, 0.0},
                               LinePoint{0.0, 0.0, kNan}, LinePoint{0.0, kNan, -1.0}}) {
    CHECK(optimize::strong_wolfe(wall, bad, 0.5, {}).end == LineEnd::kNone);
    CHECK(optimize::backtrack(wall, bad, 0.5, {}).end == LineEnd::kNone);
  }
}

TEST_CASE("a line search uses derivatives if rounding hides differences of values") {
  // A parabola whose changes are far below the rounding error of the value 1e8. The
  // values are wrong by two units in the last place.
  auto line = [](double step) {
    return LinePoint{step, 1e8 + (step > 0.0 ? 3e-8 : 0.0), 1e-12 * (step - 3.0)};
  };
  LineSearchOptions options;
  options.curvature = 0.1;
  for (double first : {0.1, 1.0, 20.0}) {
    const LineStep found = optimize::strong_wolfe(line, line(0.0), first, options);
    CHECK((found.end == LineEnd::kWolfe && std::abs(found.at.step - 3.0) <= 0.3));
  }
}

TEST_CASE("a plain function is evaluated once at each point") {
  int calls = 0;
  PlainFunction function({1.0}, [&](const Vector& x, Vector& gradient) {
    ++calls;
    gradient[0] = 2.0 * x[0];
    return x[0] * x[0];
  });
  Vector gradient;
  function.set_direction({1.0});
  CHECK((function.along(1.0).value == 4.0 && function.along(2.0).derivative == 6.0));
  function.move(2.0);
  CHECK((function.evaluate(gradient) == 9.0 && gradient[0] == 6.0 && calls == 2));
  function.set_direction({-1.0});
  function.along(1.0);
  function.along(2.0);
  function.move(1.0);  // not the point of the last evaluation
  CHECK((function.evaluate(gradient) == 4.0 && gradient[0] == 4.0 && calls == 5));
  function.along(1.0);
  CHECK((function.evaluate(gradient) == 4.0 && gradient[0] == 4.0));
}

TEST_CASE("a line without a lower bound is followed up to the largest step") {
  auto slide = [](double step) { return LinePoint{step, -step, -1.0}; };
  LineSearchOptions options;
  options.longest = 1e6;
  const LineStep found = optimize::strong_wolfe(slide, slide(0.0), 1.0, options);
  CHECK((found.end == LineEnd::kDecrease && found.at.step == 1e6));
}

TEST_CASE("quadratic functions take n steps, or one Newton step") {
  ThreadHost host(1);
  for (int size : {1, 3, 10}) {
    const Quadratic of(size, 30.0, 7U + static_cast<unsigned>(size));
    const Vector solution = of.solution();
    DescentOptions options;
    options.tolerance = 1e-6;
    options.line.decrease = 1e-10;
    options.line.curvature = 1e-9;  // steps end at the minimum along the line
    const auto close = [&](const Function& f) {
      return distance(f.point(), solution) <= 1e-5 * (1.0 + optimize::norm(solution));
    };
    const auto most = static_cast<std::size_t>(size);
    PlainFunction conjugate(Vector(most, 0.0), of.value());
    optimize::NonlinearCgOptions nonlinear;
    nonlinear.descent = options;
    const Descent cg = minimise_nonlinear_cg(conjugate, nonlinear, host);
    CHECK((cg.status == Status::kConverged && cg.steps <= most && close(conjugate)));
    PlainFunction curved(Vector(most, 0.0), of.value());
    const Operator exactly = [&](const Vector& gradient) {
      return vector_of(-of.matrix.llt().solve(eigen(gradient)));
    };
    const Descent newton = minimise_newton(curved, exactly, DescentOptions{}, host);
    CHECK((newton.status == Status::kConverged && newton.steps == 1 && close(curved)));
  }
}

TEST_CASE("minimisers reach the end of Rosenbrock's valley by valid steps") {
  ThreadHost host(1);
  for (std::size_t size : {2, 20}) {
    for (Method method : kAll) {
      std::size_t calls = 0;
      PlainFunction plain(rosenbrock_start(size),
                          [&](const Vector& x, Vector& gradients) {
                            ++calls;
                            return rosenbrock(x, gradients);
                          });
      DescentOptions options;
      options.tolerance = 1e-10;
      options.max_steps = 5000;
      Watched function = watched(plain, method, options);
      const Operator hessian = [&](const Vector& v) {
        return rosenbrock_hessian_times(plain.point(), v);
      };
      const Descent found = minimise(method, function, hessian, options, host);
      CHECK(found.status == Status::kConverged);
      CHECK((function.kept(found) && calls == found.evaluations));
      Vector gradient(size);
      CHECK(rosenbrock(plain.point(), gradient) == found.value);
      CHECK(std::abs(optimize::norm(gradient) - found.gradient_norm) <=
            1e-12 * (1.0 + found.gradient_norm));
      // From (-1.2, 1, ...) the valley of 20 unknowns has a second minimum near x_1 = -1.
      CHECK((size == 20 || distance(plain.point(), Vector(size, 1.0)) < 1e-6));
    }
  }
}

TEST_CASE("conjugate gradients use the directions of Polak and Ribiere") {
  // Records gradients and directions.
  struct Recorded : PlainFunction {
    using PlainFunction::PlainFunction;
    double evaluate(Vector& gradient) override {
      const double value = PlainFunction::evaluate(gradient);
      gradients.push_back(gradient);
      return value;
    }
    void set_direction(const Vector& direction) override {
      directions.push_back(direction);
      PlainFunction::set_direction(direction);
    }
    std::vector<Vector> gradients;
    std::vector<Vector> directions;
  };
  ThreadHost host(1);
  for (std::size_t every : {0, 5}) {
    Recorded function(rosenbrock_start(20), rosenbrock);
    optimize::NonlinearCgOptions options;
    options.restart_every = every;
    options.descent.max_steps = 60;
    minimise_nonlinear_cg(function, options, host);
    CHECK(function.directions.size() == 60);
    std::size_t conjugate = 0;
    for (std::size_t step = 0; step < function.directions.size(); ++step) {
      const auto gradient = eigen(function.gradients[step]);
      Eigen::VectorXd expected = -gradient;
      if (step % (every > 0 ? every : 20) != 0) {
        const auto before = eigen(function.gradients[step - 1]);
        const double factor = gradient.dot(gradient - before) / before.squaredNorm();
        expected += std::max(0.0, factor) * eigen(function.directions[step - 1]);
        conjugate += factor > 0.0 ? 1 : 0;
      }
      CHECK((expected - eigen(function.directions[step])).norm() <=
            1e-9 * expected.norm());
    }
    CHECK(conjugate > 30);
  }
}

TEST_CASE("an ill-conditioned logistic regression agrees with a dense Newton's method") {
  ThreadHost host(1);
  for (unsigned seed : {1U, 2U, 3U}) {
    const Logistic of(seed);
    for (bool centered : {false, true}) {
      const Vector center = centered ? Vector(8, 0.7) : Vector();
      const Vector reference = of.by_dense_newton(center);
      for (Method method : kAll) {
        int products = 0;
        optimize::LinearLoss parts = of.parts(&products);
        parts.center = center;
        optimize::LinearLossFunction loss(parts, Vector(8, 0.0));
        const Operator hessian = [&](const Vector& v) {
          return loss.hessian_times(v, [&](const Vector& along) {
            Vector curved = along;
            for (std::size_t i = 0; i < curved.size(); ++i) {
              curved[i] *= Logistic::curvature(loss.products()[i]);
            }
            return curved;
          });
        };
        DescentOptions options;
        // The condition number is a million. Near the minimum, a step along the gradient
        // g gains |g|^2 / (2 * largest hessian), which rounding hides.
        options.tolerance = 1e-6;
        options.max_steps = 20000;
        Watched function = watched(loss, method, options);
        const Descent found = minimise(method, function, hessian, options, host);
        CHECK(found.status == Status::kConverged);
        CHECK(function.kept(found));
        // Newton's method converges faster than linearly.
        CHECK((method == Method::kNonlinearCg || found.steps <= 10));
        const Vector some(8, 0.3);
        const Eigen::VectorXd hessians = eigen(loss.products()).unaryExpr([](double z) {
          return Logistic::curvature(z);
        });
        const Eigen::VectorXd dense =
            of.x.transpose() * hessians.asDiagonal() * of.x * eigen(some);
        CHECK((eigen(hessian(some)) - dense - of.penalty * eigen(some)).norm() <=
              1e-12 * dense.norm());
        --products;  // the product of this check
        // The penalty is a lower bound of the smallest eigenvalue. So the gradient norm
        // bounds the distance to the minimum.
        CHECK(distance(loss.point(), reference) <=
              found.gradient_norm / of.penalty + 1e-9);
        // Evaluations along a line need no products.
        CHECK(static_cast<std::size_t>(products) == 1 + found.steps + found.products);
        // The stored products belong to the current point.
        CHECK((of.x * eigen(loss.point()) - eigen(loss.products())).norm() <=
              1e-9 * (1.0 + optimize::norm(loss.products())));
      }
    }
  }
}

TEST_CASE("minimisers avoid points where a function is not defined") {
  ThreadHost host(1);
  // x - log(x) in each unknown: not defined for x <= 0, with the minimum at 1.
  const auto value = [](const Vector& x, Vector& gradient) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] - std::log(x[i]);
      gradient[i] = 1.0 - 1.0 / x[i];
    }
    return sum;
  };
  for (Method method : kAll) {
    PlainFunction function({20.0, 3.0, 0.01}, value);
    const Operator hessian = [&](const Vector& v) {
      Vector product = v;
      for (std::size_t i = 0; i < v.size(); ++i) {
        product[i] /= function.point()[i] * function.point()[i];
      }
      return product;
    };
    DescentOptions options;
    options.tolerance = 1e-9;
    const Descent found = minimise(method, function, hessian, options, host);
    CHECK(found.status == Status::kConverged);
    CHECK(distance(function.point(), Vector(3, 1.0)) < 1e-4);
  }
  for (Method method : kAll) {
    PlainFunction outside({-1.0}, value);
    const Operator one = [](const Vector& v) { return v; };
    const Descent found = minimise(method, outside, one, {}, host);
    CHECK((found.status == Status::kStalled && found.steps == 0));
    CHECK(outside.point() == Vector{-1.0});
  }
}

TEST_CASE("a function without a lower bound ends at a finite point") {
  ThreadHost host(1);
  DescentOptions options;
  options.max_steps = 50;
  for (Method method : kWithoutHessian) {
    PlainFunction derivative({0.0, 0.0}, [](const Vector& x, Vector& gradient) {
      gradient = {-1.0, 2.0};
      return 2.0 * x[1] - x[0];
    });
    const Descent on_line = minimise(method, derivative, {}, options, host);
    CHECK((on_line.status == Status::kLimit && on_line.steps == 50));
    CHECK((std::isfinite(on_line.value) && on_line.value < -1e20));
    PlainFunction cliff({0.0}, [](const Vector& x, Vector& gradient) {
      gradient[0] = -std::exp(x[0]);
      return -std::exp(x[0]);
    });
    const Descent on_cliff = minimise(method, cliff, {}, options, host);
    CHECK(on_cliff.status != Status::kConverged);
    CHECK((std::isfinite(on_cliff.value) && on_cliff.value < -1e20));
  }
  // Where the second derivative is negative, Newton's method follows the gradient.
  PlainFunction saddle({1.0, 0.5}, [](const Vector& x, Vector& gradient) {
    gradient = {2.0 * x[0], -2.0 * x[1] + 4.0 * x[1] * x[1] * x[1]};
    return x[0] * x[0] - x[1] * x[1] + x[1] * x[1] * x[1] * x[1];
  });
  const Operator hessian = [&](const Vector& v) {
    const double y = saddle.point()[1];
    return Vector{2.0 * v[0], (12.0 * y * y - 2.0) * v[1]};
  };
  const Descent found = minimise_newton(saddle, hessian, optimize::NewtonOptions{}, host);
  CHECK(found.status == Status::kConverged);
  CHECK(std::abs(saddle.point()[1] - std::sqrt(0.5)) < 1e-5);
}

TEST_CASE("a start at a minimum takes no step") {
  ThreadHost host(1);
  const Quadratic of(4, 10.0, 11);
  for (Method method : kAll) {
    PlainFunction zero(Vector(4, 1.0), rosenbrock);
    const Descent found = minimise(method, zero, of.product(), {}, host);
    CHECK((found.status == Status::kConverged && found.steps == 0));
    CHECK((found.gradient_norm == 0.0 && found.evaluations == 1));
    CHECK(zero.point() == Vector(4, 1.0));
    PlainFunction empty(Vector(), [](const Vector&, Vector&) { return 1.0; });
    CHECK(minimise(method, empty, of.product(), {}, host).status == Status::kConverged);
  }
}

TEST_CASE("directions that do not descend are replaced or end the search") {
  ThreadHost host(1);
  const Quadratic of(3, 10.0, 12);
  PlainFunction function(Vector(3, 0.0), of.value());
  // Products that do not belong to the Hessian or to any positive definite matrix.
  const Operator wrong = [](const Vector& v) { return Vector(v.size(), kNan); };
  optimize::NewtonOptions newton;
  newton.descent.max_steps = 5000;
  const Descent found = minimise_newton(function, wrong, newton, host);
  CHECK(found.status == Status::kConverged);
  // The first step is so long that all shorter steps that are tried have infinite values.
  PlainFunction bowl(Vector(3, 2.0), [](const Vector& x, Vector& gradient) {
    double value = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      value += std::cosh(x[i]);
      gradient[i] = std::sinh(x[i]);
    }
    return value;
  });
  const Operator flat = [](const Vector& v) {
    Vector product = v;
    for (double& value : product) {
      value *= 1e-30;
    }
    return product;
  };
  CHECK(minimise_newton(bowl, flat, newton, host).status == Status::kConverged);
  CHECK(optimize::norm(bowl.point()) < 1e-4);
  PlainFunction again(Vector(3, 0.0), of.value());
  const Operator upward = [](const Vector& gradient) { return gradient; };
  const Operator broken = [](const Vector& v) { return Vector(v.size(), kNan); };
  for (const Operator& solve : {upward, broken}) {
    const Descent stalled = minimise_newton(again, solve, DescentOptions{}, host);
    CHECK((stalled.status == Status::kStalled && stalled.steps == 0));
    CHECK(again.point() == Vector(3, 0.0));
  }
  // The gradient belongs to another function, so no step has the predicted decrease.
  PlainFunction lying({1.0}, [](const Vector& x, Vector& gradient) {
    gradient[0] = -1.0;
    return x[0];
  });
  for (Method method : kAll) {
    const Descent stuck = minimise(method, lying, upward, {}, host);
    CHECK((stuck.status == Status::kStalled && stuck.steps == 0));
    CHECK(lying.point() == Vector{1.0});
  }
}

TEST_CASE("rounding errors are not minimised for ever") {
  ThreadHost host(1);
  const Quadratic of(10, 1e4, 13);
  for (Method method : kWithoutHessian) {
    PlainFunction function(Vector(10, 0.0), [&](const Vector& x, Vector& gradient) {
      return 1e6 + of.value()(x, gradient);
    });
    DescentOptions options;
    options.tolerance = 0.0;
    options.max_steps = 100000;
    const Descent found = minimise(method, function, {}, options, host);
    CHECK(found.status == Status::kStalled);
    CHECK(found.steps < 10000);
    Vector ignored(10);
    CHECK(found.value <= 1e6 + of.value()(of.solution(), ignored) + 1e-6);
  }
}

TEST_CASE("a minimiser continues from its current point, and ends on request") {
  ThreadHost host(1);
  for (Method method : kAll) {
    PlainFunction function(rosenbrock_start(20), rosenbrock);
    const Operator hessian = [&](const Vector& v) {
      return rosenbrock_hessian_times(function.point(), v);
    };
    DescentOptions options;
    options.max_steps = 6;
    Vector first(20);
    const double start = rosenbrock(function.point(), first);
    const Descent limited = minimise(method, function, hessian, options, host);
    CHECK((limited.status == Status::kLimit && limited.steps == 6));
    CHECK(limited.value < start);
    options.max_steps = 3000;
    options.scale = optimize::norm(first);
    const Stop low = [](const Descent& so_far) { return so_far.value < 30.0; };
    const Descent stopped = minimise(method, function, hessian, options, host, low);
    CHECK((stopped.status == Status::kConverged && stopped.value < 30.0));
    CHECK(stopped.gradient_norm > options.tolerance * options.scale);
    const Descent rest = minimise(method, function, hessian, options, host);
    CHECK(rest.status == Status::kConverged);
    // The tolerance is relative to the given scale, not to the gradient at the warm
    // start.
    CHECK(rest.gradient_norm <= options.tolerance * options.scale);
    const Descent nothing = minimise(method, function, hessian, options, host);
    CHECK((nothing.steps == 0 && nothing.status == Status::kConverged));
  }
}

TEST_CASE("interrupted minimisers leave the function at a point that it moved to") {
  for (Method method : kAll) {
    PlainFunction expected(rosenbrock_start(20), rosenbrock);
    PlainFunction function(rosenbrock_start(20), rosenbrock);
    const auto hessian_of = [](const Function& f) {
      return [&f](const Vector& v) { return rosenbrock_hessian_times(f.point(), v); };
    };
    ThreadHost host(1);
    DescentOptions options;
    options.max_steps = 4;
    // Newton's method also has a checkpoint for each product.
    const Descent whole = minimise(method, expected, hessian_of(expected), options, host);
    ThreadHost interrupted(1);
    interrupted.interrupt_after(whole.steps + whole.products);
    options.max_steps = 1000;
    CHECK_THROWS_AS(
        minimise(method, function, hessian_of(function), options, interrupted),
        rankmix::Interrupted);
    CHECK(function.point() == expected.point());
    const Descent rest = minimise(method, function, hessian_of(function), options, host);
    CHECK(rest.status == Status::kConverged);
  }
}

TEST_CASE("impossible options of minimisers are refused") {
  ThreadHost host(1);
  PlainFunction function({1.0}, rosenbrock);
  const Operator one = [](const Vector& v) { return v; };
  optimize::NonlinearCgOptions negative;
  negative.descent.tolerance = -1.0;
  CHECK_THROWS_AS(minimise_nonlinear_cg(function, negative, host),
                  rankmix::InvalidArgument);
  optimize::NewtonOptions loose;
  loose.loosest = 1.0;
  CHECK_THROWS_AS(minimise_newton(function, one, loose, host), rankmix::InvalidArgument);
  for (int i = 0; i < 4; ++i) {
    DescentOptions options;
    options.line.decrease = i == 0 ? 0.6 : 1e-4;
    options.line.curvature = i == 1 ? 1e-5 : 0.9;
    options.line.most = i == 2 ? 0 : 40;
    options.scale = i == 3 ? kNan : 0.0;
    CHECK_THROWS_AS(options.validate(), rankmix::InvalidArgument);
  }
  CHECK_THROWS_AS(optimize::conjugate_gradients(one, {1.0}, {-1.0, 5}, host),
                  rankmix::InvalidArgument);
}
