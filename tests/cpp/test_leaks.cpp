#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/data/leaks.h"
#include "thread_host.h"

namespace data = rankmix::data;
using data::Leak;

namespace {

const std::vector<int> kGrades{0, 2, 1, 0, 2};

Leak dense(const std::vector<double>& column, const std::vector<int>& grades) {
  ThreadHost host(2);
  const rankmix::MatrixView<const double> x(column.data(), column.size(), 1);
  return data::find_leaks(x, grades, host)[0];
}

Leak sparse(const std::vector<double>& column, const std::vector<int>& grades) {
  ThreadHost host(2);
  std::vector<double> values;
  std::vector<int> rows;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != 0.0) {
      values.push_back(column[i]);
      rows.push_back(static_cast<int>(i));
    }
  }
  const std::vector<int> starts{0, static_cast<int>(values.size())};
  const rankmix::SparseView x(values, rows, starts, column.size());
  return data::find_leaks(x, grades, host)[0];
}

bool is(Leak leak, const std::vector<double>& column,
        const std::vector<int>& grades = kGrades) {
  return dense(column, grades) == leak && sparse(column, grades) == leak;
}

}  // namespace

TEST_CASE("a feature that determines the grades is found, dense and sparse") {
  CHECK(is(Leak::kEqual, {0, 2, 1, 0, 2}));
  CHECK(is(Leak::kRising, {-1, 5, 0, -1, 5}));
  CHECK(is(Leak::kFalling, {2, 0, 1, 2, 0}));
  CHECK(is(Leak::kNone, {2, 1, 0, 2, 1}));    // one value for each grade, not monotone
  CHECK(is(Leak::kNone, {0, 2, 1, 0, 2.5}));  // two values for one grade
  CHECK(is(Leak::kNone, {0, 2, 1, 0, 0}));
  CHECK(is(Leak::kNone, {0, 2, 2, 0, 2}));  // not strictly monotone
  CHECK(is(Leak::kNone, {0, 2, 1, 0, std::nan("")}));
  CHECK(is(Leak::kNone, {std::nan(""), 2, 1, 0, 2}));
}

TEST_CASE("no feature determines grades that are all equal") {
  CHECK(is(Leak::kNone, {1, 1, 1}, {1, 1, 1}));
  CHECK(is(Leak::kNone, {0, 0}, {0, 0}));
}
