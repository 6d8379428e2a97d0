// The logistic loss over all pairs of documents of different grades of a query.
//
// Documents are sorted by grade, highest first. Then the lower partners of each document
// are all documents from some position to the end, which one SIMD loop visits.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

class LogisticPairs {
 public:
  // The sums over pairs of weight times loss, and their derivatives.
  double evaluate(const Query& query, const Derivatives& out);
  void multiply(const Query& query, View<const double> direction, View<double> product);

 private:
  void sort_by_grade(const Query& query);

  std::vector<std::size_t> order_;   // documents, highest grade first
  std::vector<std::size_t> lowers_;  // position of the first lower partner
  bool equal_weights_ = true;
  // By position in order_. Padded with documents of weight 0 and very low scores.
  std::vector<double> scores_;
  std::vector<double> weights_;
  std::vector<double> direction_;
  std::vector<double> gradient_;
  std::vector<double> hessian_;
};

}  // namespace rankmix::objective
