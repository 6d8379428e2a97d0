// Finds features that determine the grades, which is a leak of labels into the features.
//
// A feature is a function of the grade if documents of the same grade have the same
// value. If that function is strictly monotone, the feature ranks all documents
// perfectly. For nearly all features, one of the first rows contradicts this, and the
// scan of the column stops there. So the cost is about O(p) for p features, and O(n p) at
// worst. For sparse data, n p is the number of entries.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

enum class Leak : std::uint8_t {
  kNone = 0,
  kEqual = 1,    // the value is the grade
  kRising = 2,   // strictly increasing in the grade
  kFalling = 3,  // strictly decreasing in the grade
};

// One result for each feature. All are kNone if fewer than two grades occur. `grades` has
// one number from 0 to 127 for each row. A feature with a missing value is not a leak.
std::vector<Leak> find_leaks(MatrixView<const double> x, View<const int> grades,
                             Host& host);
std::vector<Leak> find_leaks(const SparseView& x, View<const int> grades, Host& host);

// The value of a feature for each grade, and the number of documents of that grade so far.
struct ValueOfGrade {
  static constexpr std::size_t kGrades = 128;
  std::array<double, kGrades> value{};
  std::array<std::size_t, kGrades> seen{};
  bool is_function = true;

  // Returns false if the value is missing or differs from earlier documents of the same
  // grade.
  bool add(int grade, double x);
};

// Like find_leaks(), for features whose documents are on several ranks. `own` has the
// results for the documents of this rank. All ranks have the same features. Only values
// of features that are functions of the grade on each rank are sent.
std::vector<Leak> leaks_of_ranks(std::vector<ValueOfGrade> own, View<const int> grades,
                                 Reducer& reducer);

}  // namespace rankmix::data
