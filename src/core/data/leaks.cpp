#include "core/data/leaks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace rankmix::data {
namespace {

constexpr std::size_t kGrades = ValueOfGrade::kGrades;
using Counts = std::array<std::size_t, kGrades>;

Counts count_grades(View<const int> grades) {
  Counts counts{};
  for (std::size_t i = 0; i < grades.size(); ++i) {
    ++counts[static_cast<std::size_t>(grades[i])];
  }
  return counts;
}

std::size_t occurring(const Counts& counts) {
  return kGrades - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U));
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
  if (occurring(counts) < 2) {
    return leaks;
  }
  host.parallel_for(x.cols(),
                    [&](std::size_t f) { leaks[f] = leak_of(x, f, grades, counts); });
  return leaks;
}

// The counts of the documents of all ranks.
Counts add_up(const Counts& own, Reducer& reducer) {
  std::vector<std::uint64_t> sums(own.begin(), own.end());
  reducer.add(View<std::uint64_t>(sums.data(), sums.size()));
  Counts counts{};
  std::copy(sums.begin(), sums.end(), counts.begin());
  return counts;
}

// Whether each feature is a function of the grade on each rank.
std::vector<bool> functions_on_each(const std::vector<ValueOfGrade>& own,
                                    Reducer& reducer) {
  std::vector<double> none(own.size());
  for (std::size_t f = 0; f < own.size(); ++f) {
    none[f] = own[f].is_function ? 0.0 : 1.0;
  }
  reducer.max({none.data(), none.size()});
  std::vector<bool> functions;
  for (double is_none : none) {
    functions.push_back(is_none == 0.0);
  }
  return functions;
}

// Replaces the values by the values on all ranks. If ranks have different values for a
// grade, the feature is not a function.
void share_values(ValueOfGrade& of, Reducer& reducer) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::array<double, 2 * kGrades> largest{};
  for (std::size_t g = 0; g < kGrades; ++g) {
    largest[2 * g] = of.seen[g] > 0 ? of.value[g] : none;
    largest[2 * g + 1] = of.seen[g] > 0 ? -of.value[g] : none;
  }
  reducer.max({largest.data(), largest.size()});
  for (std::size_t g = 0; g < kGrades; ++g) {
    if (largest[2 * g] == none) {
      continue;
    }
    of.value[g] = largest[2 * g];
    of.is_function = of.is_function && of.value[g] == -largest[2 * g + 1];
  }
}

}  // namespace

bool ValueOfGrade::add(int grade, double x) {
  const auto g = static_cast<std::size_t>(grade);
  if (std::isnan(x) || (seen[g] > 0 && value[g] != x)) {
    is_function = false;
    return false;
  }
  value[g] = x;
  ++seen[g];
  return true;
}

std::vector<Leak> leaks_of_ranks(std::vector<ValueOfGrade> own, View<const int> grades,
                                 Reducer& reducer) {
  std::vector<Leak> leaks(own.size(), Leak::kNone);
  const Counts counts = add_up(count_grades(grades), reducer);
  if (occurring(counts) < 2) {
    return leaks;
  }
  const std::vector<bool> functions = functions_on_each(own, reducer);
  for (std::size_t f = 0; f < own.size(); ++f) {
    if (functions[f]) {
      share_values(own[f], reducer);
      leaks[f] = own[f].is_function ? kind_of(own[f], counts) : Leak::kNone;
    }
  }
  return leaks;
}

std::vector<Leak> find_leaks(MatrixView<const double> x, View<const int> grades,
                             Host& host) {
  return leaks_of(x, grades, host);
}

std::vector<Leak> find_leaks(const SparseView& x, View<const int> grades, Host& host) {
  return leaks_of(x, grades, host);
}

}  // namespace rankmix::data
