// Soft gains of the ranks of a ranking, and derivatives of functions of them.
//
// With the documents sorted by score, v_1 >= v_2 >= ..., and their gains a_i,
//   h(i, r) = e(i, r) / sum_p e(p, r),   e(i, r) = exp(-(v_i - v_r)^2 / sigma),
//   q_r = sum_i a_i h(i, r).
// So q_r is a mean of the gains of documents whose scores are near v_r. As sigma goes to
// 0, q_r goes to the gain of the document at rank r, or the mean gain of tied documents.
// For any function F(q_1, q_2, ...), with D_r = dF/dq_r and
//   T(i, r) = D_r (a_i - q_r) (v_i - v_r) h(i, r),
//   dF/dv_p = -2 / sigma (sum_r T(p, r) - sum_i T(i, p)).
// This treats the order of the documents as fixed. The order changes only where two
// scores are equal, so q is continuous. Terms below 1e-18 times the largest term of a
// rank are left out.
//
// F is not convex. The hessian is the same sum with the magnitudes of all T, divided by
// sqrt(sigma). So |derivative| / hessian is at most sqrt(sigma), the width of h. D_r must
// not be negative.
//
// Source: Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3, (7), (8) and (10).
// Cost: one exp() for each of k ranks and each document near it.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::objective {

// How the derivatives by ranks are assigned to tied documents. q does not depend on this
// choice.
enum class TiedRanks {
  kInOrder,  // each document has its own rank, in the given order
  kShared,   // tied documents get the mean derivative over their orders
};

// Evaluates one query at a time; keeps its buffers.
class SoftGains {
 public:
  SoftGains(double sigma, TiedRanks tied);

  // Documents must be sorted by score, highest first, and there must be at least one.
  void set_query(View<const double> scores, View<const double> gains);
  // q of the first `ranks` ranks, at most the number of documents.
  View<const double> find(std::size_t ranks);
  // Returns sum_r D_r q_r for `factors` D; D is 0 for further ranks. Fills derivatives by
  // the scores and hessians, unless the views are empty.
  double evaluate(View<const double> factors, View<double> gradients,
                  View<double> hessians);

 private:
  struct Column;  // the e(i, r) of a rank r
  Column column_of(std::size_t rank);
  void add_column(const Column& column, double factor, View<const double> factors);

  double sigma_;
  double width_;
  double reach_;
  TiedRanks tied_;
  std::size_t n_ = 0;
  // Padded with distant documents of gain 0.
  std::vector<double> v_;
  std::vector<double> z_;
  std::vector<double> e_;  // of the current column
  std::vector<double> sums_;
  std::vector<double> curves_;
  std::vector<double> q_;
  std::size_t begin_ = 0;  // window of near documents; moves forward
  std::size_t end_ = 0;
};

}  // namespace rankmix::objective
