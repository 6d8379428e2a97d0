// Gradients for yeti.h if every pair of a query counts once (RankWeight::kEqual). Then
// the weight of a pair depends only on its grades.
//
// Given:     scores that differ by at most kMaxDifference, and the weights of grade
//            pairs.
// Result:    gradient and hessian of each document.
// Algorithm: documents are grouped by grade, so grade pairs of weight 0 cost nothing. s =
//            1 / (1 + exp(x - y)) is exp(y) / (exp(x) + exp(y)), with one exponential for
//            each document. Two pairs share a division: 1 / a = b / (a b) and 1 / b =
//            a / (a b).
#pragma once
#include <cstddef>
#include <vector>

#include "core/objective/objective.h"
#include "core/objective/yeti.h"

namespace rankmix::objective {

class GradeGradients {
 public:
  // Pairs that are processed together.
  static constexpr std::size_t kWide = 4;
  // Products of two exponentials of such differences do not underflow.
  static constexpr double kMaxDifference = 300.0;

  explicit GradeGradients(const YetiOptions& options);
  void add_up(const Query& query, const Derivatives& out);

 private:
  void set_query(const Query& query);
  void add_pairs(std::size_t upper, std::size_t lower);
  void set_hessians();
  double grade_weight(std::size_t upper, std::size_t lower) const {
    return options_.grade_weights[upper * options_.grades + lower];
  }

  const YetiOptions& options_;
  // For each grade, the number of documents and the first position; begin_ has one more.
  std::vector<std::size_t> count_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> position_;  // of each document of the query
  // By position. Each grade is padded to a multiple of kWide.
  std::vector<double> power_;  // exp(score - highest score)
  std::vector<double> gradient_;
  std::vector<double> hessian_;
};

}  // namespace rankmix::objective
