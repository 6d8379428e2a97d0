// Normalised discounted cumulative gain.
//
//   NDCG@k = DCG@k / IDCG@k,   DCG@k = sum_{i <= min(k, n)} (2^r_i - 1) / log2(1 + i)
//
// r_i is the grade at rank i, IDCG@k the DCG@k of the best ranking. A query without a
// relevant document has IDCG 0; its value is `empty`, NaN to leave it out.
// Source: Jarvelin & Kekalainen 2002, doi:10.1145/582415.582418; the gain of Burges et
// al. 2005.
#pragma once
#include "core/metric/metric.h"

namespace rankmix::metric {

class Ndcg : public Metric {
 public:
  Ndcg(std::size_t k, double empty) : k_(k), empty_(empty) {}
  std::size_t depth() const override { return k_; }
  double value(View<const int> ranked, const GradeCounts& counts) const override;

 private:
  std::size_t k_;
  double empty_;
};

}  // namespace rankmix::metric
