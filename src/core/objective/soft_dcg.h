// The soft DCG of one query: DCG with a soft gain at each rank,
//
//   sum_r c_r q_r,   c_r = 1 / log2(1 + r),
//
// over all ranks, with the q of soft_gains.h. As sigma goes to 0, the soft DCG converges
// to DCG.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19). Cost: O(n^2) for
// n documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/soft_gains.h"

namespace rankmix::objective {

// Evaluates one query at a time; keeps its buffers.
class SoftDcg {
 public:
  SoftDcg(double sigma, TiedRanks tied) : soft_(sigma, tied) {}
  // The soft DCG of at least one document, in any order. Fills `gradients` with the
  // derivatives by the scores, unless it is empty.
  double evaluate(View<const double> scores, View<const double> gains,
                  View<double> gradients);

 private:
  SoftGains soft_;
  std::vector<std::size_t> order_;
  std::vector<double> scores_;
  std::vector<double> gains_;
  std::vector<double> gradients_;
  std::vector<double> discounts_;  // of the longest query so far
};

}  // namespace rankmix::objective
