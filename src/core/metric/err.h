// Expected reciprocal rank.
//
//   ERR@k = sum_{i <= min(k, n)} 1/i * R_i * prod_{j < i} (1 - R_j),
//   R_i   = (2^r_i - 1) / 2^max_grade
//
// R_i is the probability that the document at rank i satisfies the user. A query without
// a relevant document has ERR 0.
// Source: Chapelle, Metzler, Zhang & Grinspan 2009, doi:10.1145/1645953.1646033.
#pragma once
#include "core/metric/metric.h"

namespace rankmix::metric {

class Err : public Metric {
 public:
  Err(std::size_t k, int max_grade) : k_(k), max_grade_(max_grade) {}
  std::size_t depth() const override { return k_; }
  double value(View<const int> ranked, const GradeCounts& counts) const override;

 private:
  std::size_t k_;
  int max_grade_;
};

}  // namespace rankmix::metric
