// The soft gain of each rank of a ranking, and the derivatives of what is made of them.
//
// With the documents sorted by score, v_1 >= v_2 >= ..., and their gains a_i,
//   h(i, r) = e(i, r) / sum_p e(p, r),   e(i, r) = exp(-(v_i - v_r)^2 / sigma),
//   q_r = sum_i a_i h(i, r):
// the gain at rank r is not that of one document, but a mean over those of about its
// score. As sigma goes to 0, q_r goes to the gain of the document at rank r, of tied
// documents to their mean. Of any function F(q_1, q_2, ...), with D_r = dF/dq_r and
//   T(i, r) = D_r (a_i - q_r) (v_i - v_r) h(i, r),
//   dF/dv_p = -2 / sigma (sum_r T(p, r) - sum_i T(i, p)).
// The derivative takes the order of the documents as it is: where it changes, two equal
// v_a swap, and q is continuous. Terms below 1e-18 times the largest of a rank are left
// out.
//
// F is not convex. Instead of a hessian there is the derivative with the magnitudes of
// all T, over sqrt(sigma): so that derivative / hessian is at most sqrt(sigma), the width
// of h. D_r must not be negative.
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3, (7), (8) and (10).
// Cost: one exp() for each of n documents and each of k ranks, of those that are near.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::objective {

// What tied documents share of the derivatives by their ranks. q does not depend on it.
enum class TiedRanks {
  kInOrder,  // as the documents are given, each has its own
  kShared,   // all have the same: the mean derivative over all orders
};

// Of query after query; keeps its memory.
class SoftGains {
 public:
  SoftGains(double sigma, TiedRanks tied);

  // Of documents that come highest score first, at least one.
  void set_query(View<const double> scores, View<const double> gains);
  // q of the first ranks, at most as many as there are documents.
  View<const double> find(std::size_t ranks);
  // The sum of D_r q_r over the ranks of D, the rest of which is 0; and where they are
  // asked for the derivatives by the scores, and hessians.
  double evaluate(View<const double> factors, View<double> gradients,
                  View<double> hessians);

 private:
  struct Column;  // of the e(i, r) of a rank
  Column column_of(std::size_t rank);
  void add_column(const Column& column, double factor, View<const double> factors);

  double sigma_;
  double width_;
  double reach_;
  TiedRanks tied_;
  std::size_t n_ = 0;
  // Filled up with documents far away.
  std::vector<double> v_;
  std::vector<double> z_;
  std::vector<double> e_;  // of the column at hand
  std::vector<double> sums_;
  std::vector<double> curves_;
  std::vector<double> q_;
  std::size_t begin_ = 0;  // the window, which moves forward from column to column
  std::size_t end_ = 0;
};

}  // namespace rankmix::objective
