// The logistic loss over the pairs of a long query, in n log n steps.
//
// Problem:   as LogisticPairs, for a query whose pairs are too many to visit.
// Algorithm: the grades are cut into an upper and a lower half. All pairs between the
//            halves are summed at once (logistic_sums.h), then each half is cut again.
// Error:     of a gradient or hessian, below 1e-12 times the weight of the document's
//            pairs. The sums have an order by score and grade, so the order of rows does
//            not matter.
// Cost:      O(n log L) for n documents of L grades, and the sort by score.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"
#include "core/objective/logistic_sums.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

class LongLogisticPairs {
 public:
  // The documents of the query must be sorted by score, highest first.
  double evaluate(const Query& query, const Derivatives& out);
  void multiply(const Query& query, View<const double> direction, View<double> product);

 private:
  // Calls add(uppers, lowers) so that each pair of documents of different grades is in
  // one of the calls.
  template <class Add>
  void for_halves(const Query& query, const Add& add);
  template <class Add>
  void cut(std::vector<std::uint32_t>& documents, std::size_t begin, std::size_t end,
           const Add& add);

  LogisticSums sums_;
  std::vector<std::uint32_t> level_;  // rank of the grade of each document, from 0
  std::vector<double> first_;
  std::vector<double> second_;
  std::vector<double> loss_;
  std::vector<double> charges_;
};

}  // namespace rankmix::objective
