#include "core/metric/gains.h"

#include <algorithm>
#include <cmath>

namespace rankmix::metric {
namespace {

template <class F>
std::vector<double> by_rank(std::size_t ranks, const F& number) {
  std::vector<double> numbers(ranks);
  for (std::size_t i = 0; i < ranks; ++i) {
    numbers[i] = number(static_cast<double>(i + 1));
  }
  return numbers;
}

}  // namespace

Gains::Gains(std::vector<double> by_grade)
    : by_grade_(std::move(by_grade)),
      increasing_(std::is_sorted(by_grade_.begin(), by_grade_.end())) {}

std::vector<int> Gains::best_first(const GradeCounts& counts) const {
  std::vector<int> grades;
  for (int g = counts.first(); g < counts.end(); ++g) {
    grades.push_back(g);
  }
  std::stable_sort(grades.begin(), grades.end(),
                   [this](int a, int b) { return (*this)(a) > (*this)(b); });
  return grades;
}

bool Gains::any(const GradeCounts& counts) const {
  for (int g = counts.first(); g < counts.end(); ++g) {
    if (counts[g] > 0 && (*this)(g) > 0.0) {
      return true;
    }
  }
  return false;
}

Discounts Discounts::log2(std::size_t ranks) {
  return {false, 0, 1.0, by_rank(ranks, [](double rank) {
            return 1.0 / (std::log(rank + 1.0) / std::log(2.0));
          })};
}

Discounts Discounts::log(std::size_t ranks) {
  return {true, 0, 1.0, by_rank(ranks, [](double rank) { return std::log(rank + 1.0); })};
}

Discounts Discounts::letor(std::size_t ranks) {
  return {true, 2, std::log(2.0),
          by_rank(ranks, [](double rank) { return std::log(rank); })};
}

Discounts Discounts::table(std::vector<double> factors, std::size_t ranks) {
  factors.resize(ranks, 0.0);
  return {false, 0, 1.0, std::move(factors)};
}

}  // namespace rankmix::metric
