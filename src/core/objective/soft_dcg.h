// The soft DCG of one query: DCG where the document of a rank is not one, but a mean over
// those of about its score.
//
// With the documents sorted by score v (j_1, j_2, ...) and
//   h(a, b) = exp(-(v_a - v_b)^2 / sigma) / sum_c exp(-(v_a - v_c)^2 / sigma),
//   soft DCG@k = sum_{r <= k} c_r sum_i z_i h(j_r, i),   c_r = 1 / log2(1 + r),
// z the gains. As sigma goes to 0 it goes to DCG@k. The derivative takes the order of the
// documents as it is: where it changes, two equal v_a change places, and the sum is
// continuous. Terms below 1e-18 times the largest of a document are left out.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19); SmoothRank:
// Chapelle & Wu 2010, doi:10.1007/s10791-009-9110-3. Cost: O(n^2) of n documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/metric/ranking.h"

namespace rankmix::objective {

// The ranks of equal scores. The sum does not depend on them, its derivatives do.
enum class TiedRanks {
  kInOrder,  // as the documents are given
  kShared,   // all get the mean of their discounts: the mean derivative over all orders
};

// Of query after query; keeps its memory.
class SoftDcg {
 public:
  SoftDcg(double sigma, std::size_t k, TiedRanks tied);
  // The soft DCG of at least one document, and in slopes its derivatives by the scores,
  // unless `slopes` is empty.
  double evaluate(View<const double> scores, View<const double> gains,
                  View<double> slopes);

 private:
  void find_discounts(std::size_t n);

  double sigma_;
  std::size_t k_;
  TiedRanks tied_;
  std::vector<std::size_t> order_;
  // Sorted by score, and filled up with documents far away.
  std::vector<double> v_;
  std::vector<double> z_;
  std::vector<double> c_;      // discounts
  std::vector<double> known_;  // of untied documents
  std::vector<double> u_;      // c_a / sum_c e_ac
  std::vector<double> b_;      // u_a A_a with A_a = sum_i z_i h(a, i)
};

}  // namespace rankmix::objective
