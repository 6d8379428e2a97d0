// Gains of grades and discounts of ranks.
#pragma once
#include <cstddef>
#include <vector>

#include "core/metric/metric.h"

namespace rankmix::metric {

// The gain of each grade 0, 1, 2, ... Unjudged documents have gain 0.
class Gains {
 public:
  explicit Gains(std::vector<double> by_grade);
  double operator()(int grade) const {
    return grade < 0 ? 0.0 : by_grade_[static_cast<std::size_t>(grade)];
  }
  // True if gains never decrease with the grade.
  bool increasing() const { return increasing_; }
  // The grades in `counts`, in order of decreasing gain.
  std::vector<int> best_first(const GradeCounts& counts) const;
  bool any(const GradeCounts& counts) const;

 private:
  std::vector<double> by_grade_;
  bool increasing_;
};

// gain * discount(rank). The operations have the order of other tools, so that values
// agree with these tools to the last bit.
class Discounts {
 public:
  // 1 / log2(rank + 1), computed as 1 / (ln(rank + 1) / ln 2).
  static Discounts log2(std::size_t ranks);
  // 1 / ln(rank + 1), by division of the gain.
  static Discounts log(std::size_t ranks);
  // 1, 1, then 1 / log2(rank), computed as gain * ln 2 / ln(rank).
  static Discounts letor(std::size_t ranks);
  // Any other discounts; ranks after the end have discount 0.
  static Discounts table(std::vector<double> factors, std::size_t ranks);

  // `rank` counts from 0.
  double operator()(double gain, std::size_t rank) const {
    if (!divides_) {
      return gain * numbers_[rank];
    }
    return rank < whole_ ? gain : gain * scale_ / numbers_[rank];
  }

 private:
  Discounts(bool divides, std::size_t whole, double scale, std::vector<double> numbers)
      : divides_(divides), whole_(whole), scale_(scale), numbers_(std::move(numbers)) {}
  bool divides_;
  std::size_t whole_;  // number of first ranks without a discount
  double scale_;
  std::vector<double> numbers_;
};

}  // namespace rankmix::metric
