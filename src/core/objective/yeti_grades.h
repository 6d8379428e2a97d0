// Gradients of a query every pair of which is seen once, see yeti.h: the weight of a pair
// depends on its grades alone.
//
// Given:     scores that differ by at most kMaxDifference, and the weights of pairs.
// Result:    gradient and hessian of each document.
// Algorithm: documents by grade, so that two grades whose pairs have weight 0 cost
//            nothing, and others nothing but the pair: s = 1 / (1 + exp(x - y)) is exp(y)
//            / (exp(x) + exp(y)), with one exponential a document, and with one division
//            for two pairs, 1 / a and 1 / b being b / (a b) and a / (a b).
#pragma once
#include <cstddef>
#include <vector>

#include "core/objective/objective.h"
#include "core/objective/yeti.h"

namespace rankmix::objective {

class GradeGradients {
 public:
  // Pairs side by side.
  static constexpr std::size_t kWide = 4;
  // Products of two exponentials are not lost.
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
  // By grade: how many documents there are, and where they begin, with one beyond.
  std::vector<std::size_t> count_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> position_;  // of the documents of the query
  // By position; a grade is filled up to a multiple of kWide.
  std::vector<double> power_;  // exp(score), over a number that all share
  std::vector<double> gradient_;
  std::vector<double> hessian_;
};

}  // namespace rankmix::objective
