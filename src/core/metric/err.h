// Expected reciprocal rank.
//
//   ERR@k = sum_{i <= min(k, n)} 1/i * R_i * prod_{j < i} (1 - R_j),
//   R_i   = (2^r_i - 1) / 2^max_grade
//
// R_i is the probability that the document at rank i satisfies the user. A query is empty
// where no document has a grade above 0.
//
// With averaged ties: let a group of n documents, `relevant` of them with R > 0, follow
// n0 documents. Rank m + 1 of the group satisfies first with probability B_m, the mean of
// R of a document times the product of 1 - R over m others. It is put together from the
// same means over the relevant documents alone and the probability that j of the first m
// ranks hold relevant ones. All terms are positive, so that nothing cancels.
//
// B_m is at most A^m, where A is the mean of 1 - R (Maclaurin's inequality): ranks where
// that is negligible are left out. Cost: O(relevant * ranks) a group. Source: Chapelle,
// Metzler, Zhang & Grinspan 2009, doi:10.1145/1645953.1646033.
#pragma once
#include <memory>
#include <vector>

#include "core/metric/metric.h"
#include "core/metric/swap.h"

namespace rankmix::metric {

class Err : public Metric {
 public:
  Err(const MetricOptions& options, int max_grade);
  std::unique_ptr<SwapChange> swap_change() const override;
  // R of a grade.
  double satisfied(int grade) const;

 protected:
  bool is_empty(const GradeCounts& counts) const override {
    return count_relevant(counts, 1) == 0;
  }
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;

 private:
  double expected(const RankedList& list, std::size_t depth) const;
  // B_0, B_1, ..., B_(top - 1) of a group.
  std::vector<double> first_satisfied(View<const int> grades, std::size_t top) const;
  double scale_;
};

}  // namespace rankmix::metric
