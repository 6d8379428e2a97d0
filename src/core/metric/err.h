// Expected reciprocal rank.
//
//   ERR@k = sum_{i <= min(k, n)} 1/i * R_i * prod_{j < i} (1 - R_j),
//   R_i   = (2^r_i - 1) / 2^max_grade
//
// R_i is the probability that the document at rank i satisfies the user. A query is empty
// where no document has a grade above 0.
//
// With averaged ties: let a group of n documents with x = 1 - R follow n0 documents, and
// let A_m be the mean of the product of x over all subsets of m documents. The expected
// product over the first m is A_m, so that rank n0 + m + 1 satisfies with probability
// A_m - A_{m+1}, times the product over the groups before. O(n^2) a group.
// Source: Chapelle, Metzler, Zhang & Grinspan 2009, doi:10.1145/1645953.1646033.
#pragma once
#include "core/metric/metric.h"

namespace rankmix::metric {

class Err : public Metric {
 public:
  Err(const MetricOptions& options, int max_grade);

 protected:
  bool is_empty(const GradeCounts& counts) const override {
    return count_relevant(counts, 1) == 0;
  }
  double compute(const RankedList& list, std::size_t depth) const override;

 private:
  double satisfied(int grade) const;
  double expected(const RankedList& list, std::size_t depth) const;
  double scale_;
};

}  // namespace rankmix::metric
