// Average precision with smooth ranks from logistic functions.
//
// For documents with scores v and relevance l, 0 or 1,
//   P_ij = 1 / (1 + exp((v_i - v_j) / sigma)),
//   r_i = 1 + sum_{j != i} P_ij,   n_i = l_i + sum_{j != i} l_j P_ij.
// r_i approximates the rank of document i, and n_i the number of relevant documents down
// to this rank. As sigma goes to 0, the sum
//   sum_i l_i n_i / r_i
// goes to the sum of precisions at relevant documents; each of two tied documents counts
// as half above the other. With Q = P (1 - P) / sigma and t_ij = l_i (l_j r_i - n_i) /
// r_i^2 the derivative by v_p is
//   sum_i t_ip Q_ip - sum_j t_pj Q_pj.
// The hessian is the same sum with magnitudes, divided by sigma. So |derivative| /
// hessian is at most sigma.
//
// For long queries the sums over documents are computed by logistic_sums.h. This requires
// that l_j r_i - n_i has one sign for each value of l_j. This is true, because n_i <=
// r_i.
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3, (5) and (9).
// Cost: O(n R) for n documents, of which R are relevant. O(n) for n > `max_listed`.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/logistic_sums.h"

namespace rankmix::objective {

// Evaluates one query at a time; keeps its buffers.
class SoftPrecision {
 public:
  explicit SoftPrecision(double sigma, std::size_t max_listed = kMaxListed)
      : sigma_(sigma), max_listed_(max_listed) {}
  // Scores must decrease.
  double evaluate(View<const double> scores, View<const double> relevance,
                  View<double> gradients, View<double> hessians);

 private:
  double evaluate_long(View<const double> scores, View<const double> relevance,
                       View<double> gradients, View<double> hessians);

  double sigma_;
  std::size_t max_listed_;
  LogisticSums logistic_;
  // Padded with documents of very low scores and relevance 0.
  std::vector<double> v_;
  std::vector<double> l_;
  std::vector<double> p_;
  std::vector<double> sums_;
  std::vector<double> sizes_;
};

}  // namespace rankmix::objective
