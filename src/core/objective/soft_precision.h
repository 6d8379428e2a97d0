// Average precision with ranks made smooth by logistic functions.
//
// Of documents with scores v and relevance l, 0 or 1,
//   P_ij = 1 / (1 + exp((v_i - v_j) / sigma)),
//   r_i = 1 + sum_{j != i} P_ij,   n_i = l_i + sum_{j != i} l_j P_ij:
// about the rank of i, and the number of relevant documents down to it. The sum
//   sum_i l_i n_i / r_i
// goes to that of the precisions at relevant documents as sigma goes to 0, of tied ones
// with half of what ties above. The j = i of n counts 1, not the 1/2 of its P. With
// Q = P (1 - P) / sigma and t_ij = l_i (l_j r_i - n_i) / r_i^2 the derivative by v_p is
//   sum_i t_ip Q_ip - sum_j t_pj Q_pj,
// and the hessian the same sum of magnitudes, over sigma: so that derivative /
// hessian is at most sigma.
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3, (5) and (9). Cost: O(n R) of
// R relevant documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::objective {

// Of query after query; keeps its memory.
class SoftPrecision {
 public:
  explicit SoftPrecision(double sigma) : sigma_(sigma) {}
  double evaluate(View<const double> scores, View<const double> relevance,
                  View<double> gradients, View<double> hessians);

 private:
  double sigma_;
  // Filled up with documents far below.
  std::vector<double> v_;
  std::vector<double> l_;
  std::vector<double> p_;
  std::vector<double> sums_;
  std::vector<double> sizes_;
};

}  // namespace rankmix::objective
