// Which features determine the grades: a leak of the labels into the features.
//
// A feature is a function of the grades if documents of the same grade have the same
// value. Where that function rises or falls strictly, the feature ranks all documents
// perfectly. Nearly all features contradict it within the first rows, where a column is
// left: the cost is O(p) then, and O(n p) at worst; of sparse data the entries count.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

enum class Leak : std::uint8_t {
  kNone = 0,
  kEqual = 1,    // the grade itself
  kRising = 2,   // another value for each grade, the larger the higher
  kFalling = 3,  // the smaller the higher
};

// One for each feature; all kNone where fewer than two grades occur. `grades` are from 0
// to 30, one a row. Missing values are ignored.
std::vector<Leak> find_leaks(MatrixView<const double> x, View<const int> grades,
                             Host& host);
std::vector<Leak> find_leaks(const SparseView& x, View<const int> grades, Host& host);

}  // namespace rankmix::data
