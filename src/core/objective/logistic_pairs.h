// The logistic loss over all pairs of documents of different grades of a query.
//
// Documents are brought into the order of their grades, highest first, so that the lower
// partners of each are all from some rank to the end; one loop in wide registers goes
// through them.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

class LogisticPairs {
 public:
  // Value, gradients and hessians are sums over pairs of their weights times loss and
  // derivatives.
  double evaluate(const Query& query, const Derivatives& out);
  void multiply(const Query& query, View<const double> direction, View<double> product);

 private:
  void sort_by_grade(const Query& query);

  std::vector<std::size_t> order_;   // documents, by rank
  std::vector<std::size_t> lowers_;  // the rank of the first lower partner, by rank
  bool equal_weights_ = true;
  // By rank, filled up with documents of no weight far below.
  std::vector<double> scores_;
  std::vector<double> weights_;
  std::vector<double> direction_;
  std::vector<double> gradient_;
  std::vector<double> hessian_;
};

}  // namespace rankmix::objective
