#include "core/data/leaks.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace rankmix::data {
namespace {

constexpr std::size_t kGrades = 128;
using Counts = std::array<std::size_t, kGrades>;

// The value of the feature for each grade, and the number of documents of that grade so
// far.
struct ValueOfGrade {
  std::array<double, kGrades> value{};
  Counts seen{};

  // Returns false if the value is missing or differs from earlier documents of the same
  // grade.
  bool add(int grade, double x) {
    const auto g = static_cast<std::size_t>(grade);
    if (std::isnan(x) || (seen[g] > 0 && value[g] != x)) {
      return false;
    }
    value[g] = x;
    ++seen[g];
    return true;
  }
};

Counts count_grades(View<const int> grades) {
  Counts counts{};
  for (std::size_t i = 0; i < grades.size(); ++i) {
    ++counts[static_cast<std::size_t>(grades[i])];
  }
  return counts;
}

Leak kind_of(const ValueOfGrade& of, const Counts& counts) {
  bool equal = true;
  bool rising = true;
  bool falling = true;
  bool first = true;
  double last = 0.0;
  for (std::size_t g = 0; g < kGrades; ++g) {
    if (counts[g] == 0) {
      continue;
    }
    equal = equal && of.value[g] == static_cast<double>(g);
    rising = rising && (first || of.value[g] > last);
    falling = falling && (first || of.value[g] < last);
    first = false;
    last = of.value[g];
  }
  if (equal) {
    return Leak::kEqual;
  }
  if (rising) {
    return Leak::kRising;
  }
  return falling ? Leak::kFalling : Leak::kNone;
}

Leak leak_of(MatrixView<const double> x, std::size_t f, View<const int> grades,
             const Counts& counts) {
  ValueOfGrade of;
  const double* column = x.col(f);
  for (std::size_t i = 0; i < grades.size(); ++i) {
    if (!of.add(grades[i], column[i])) {
      return Leak::kNone;
    }
  }
  return kind_of(of, counts);
}

// Documents without an entry have the value 0. So if only some documents of a grade have
// an entry, their value must be 0 too.
Leak leak_of(const SparseView& x, std::size_t f, View<const int> grades,
             const Counts& counts) {
  ValueOfGrade of;
  const View<const double> values = x.values(f);
  const View<const int> rows = x.row_of(f);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!of.add(grades[static_cast<std::size_t>(rows[i])], values[i])) {
      return Leak::kNone;
    }
  }
  for (std::size_t g = 0; g < kGrades; ++g) {
    if (of.seen[g] > 0 && of.seen[g] < counts[g] && of.value[g] != 0.0) {
      return Leak::kNone;
    }
  }
  return kind_of(of, counts);
}

template <class Matrix>
std::vector<Leak> leaks_of(const Matrix& x, View<const int> grades, Host& host) {
  std::vector<Leak> leaks(x.cols(), Leak::kNone);
  const Counts counts = count_grades(grades);
  std::size_t occurring = 0;
  for (const std::size_t count : counts) {
    occurring += count > 0 ? 1 : 0;
  }
  if (occurring < 2) {
    return leaks;
  }
  host.parallel_for(x.cols(),
                    [&](std::size_t f) { leaks[f] = leak_of(x, f, grades, counts); });
  return leaks;
}

}  // namespace

std::vector<Leak> find_leaks(MatrixView<const double> x, View<const int> grades,
                             Host& host) {
  return leaks_of(x, grades, host);
}

std::vector<Leak> find_leaks(const SparseView& x, View<const int> grades, Host& host) {
  return leaks_of(x, grades, host);
}

}  // namespace rankmix::data
