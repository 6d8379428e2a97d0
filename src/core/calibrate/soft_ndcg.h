// The soft NDCG of calibrated scores, a target of sigmoid calibration.
//
// With v(x) = sum_l z_l p_l(x), z_l = 2^l - 1, the documents of a query sorted by v
// (j_1, j_2, ...), and
//   h(a, b) = exp(-(v_a - v_b)^2 / sigma) / sum_c exp(-(v_a - v_c)^2 / sigma),
//   L = - sum_k w_k / IDCG_k sum_r c_r sum_i z_i h(j_r, i),   c_r = 1 / log2(1 + r),
// over the queries k with IDCG_k > 0, IDCG without a cut-off. As sigma goes to 0, -L goes
// to the sum of NDCG. The derivative takes the order of the documents as it is: where it
// changes, two equal v_a change places, and L is continuous. Terms below 1e-18 times the
// largest of a document are left out.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19). Cost: O(n^2) of a
// query of n documents.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/calibrate/sigmoid.h"
#include "core/data/queries.h"

namespace rankmix::calibrate {

// Of one query; keeps its memory from query to query.
class SoftNdcg {
 public:
  explicit SoftNdcg(double sigma);
  // The sum over ranks, - L IDCG, for documents with these scores and gains, and in
  // slopes its derivatives by the scores.
  double look_at(const std::vector<double>& scores, const std::vector<double>& gains,
                 std::vector<double>& slopes);

 private:
  double sigma_;
  std::vector<std::size_t> order_;
  // Sorted by score, and filled up with documents far away.
  std::vector<double> v_;
  std::vector<double> z_;
  std::vector<double> u_;  // c_a / sum_c e_ac
  std::vector<double> b_;  // u_a A_a with A_a = sum_i z_i h(a, i)
};

// `ideal` is the IDCG of each query; `weights` one number a document, the same within a
// query, or empty.
SigmoidTarget soft_ndcg_target(double sigma, MatrixView<const double> f,
                               View<const int> grades, View<const double> weights,
                               const data::Queries& queries, View<const double> ideal,
                               double a, double b, Host& host);

}  // namespace rankmix::calibrate
