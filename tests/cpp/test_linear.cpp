#include <cmath>
#include <random>
#include <vector>

#include "check.h"
#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/linear/mcsvm.h"
#include "core/linear/scaling.h"
#include "core/linear/simplex.h"
#include "thread_host.h"

using rankmix::MatrixView;
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
  std::normal_distribution<double> normal;
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

}  // namespace

TEST("the nearest point of the simplex has its properties") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
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
    CHECK(std::abs(sum - 1.0) < 1e-12 && positive == support);
    // What is positive has the same shift, what is 0 lies below it.
    bool optimal = true;
    for (std::size_t k = 0; k < count; ++k) {
      optimal = optimal && (a[k] > 0.0 ? std::abs(u[k] - a[k] - shift) < 1e-12
                                       : u[k] <= shift + 1e-12);
    }
    CHECK(optimal);
  }
}

TEST("support vector machines have the same bits on any number of threads") {
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

TEST("impossible support vector machines are refused") {
  const Cloud on = cloud(50, 3, 3, 3);
  ThreadHost host(1);
  const auto features = linear::features_of(
      on.view(), linear::find_scaling(on.view(), linear::ScalingRule::kNone, host));
  CHECK_THROWS(linear::Mcsvm(*features, on.grades, {}, 1), rankmix::InvalidArgument);
  CHECK_THROWS(linear::Mcsvm(*features, std::vector<int>(7), {}, 3),
               rankmix::InvalidArgument);
  linear::Mcsvm machine(*features, on.grades, {}, 3);
  linear::McsvmOptions options;
  options.cost = 0.0;
  CHECK_THROWS(machine.solve(options, host), rankmix::InvalidArgument);
}
