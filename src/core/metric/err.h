// Expected reciprocal rank.
//
//   ERR@k = sum_{i <= min(k, n)} 1/i * R_i * prod_{j < i} (1 - R_j),
//   R_i   = (2^r_i - 1) / 2^max_grade
//
// R_i is the probability that the document at rank i satisfies the user. A query is empty
// if no document has a grade above 0.
//
// With averaged ties: let a group of n documents, `relevant` of them with R > 0, follow
// n0 documents. B_m is the probability that rank m + 1 of the group is the first to
// satisfy: the mean of R of a document times the product of 1 - R over m other documents.
// B_m is computed from such means over relevant documents only, and from the probability
// that j of the first m ranks have relevant documents. All terms are positive, so nothing
// cancels.
//
// B_m is at most A^m, where A is the mean of 1 - R (Maclaurin's inequality). Ranks with
// negligible A^m are left out. Cost: O(relevant * ranks) for a group. Source: Chapelle,
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
  // The probability R that a document of this grade satisfies the user.
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
  // The probabilities B_0, ..., B_(top - 1) of a group.
  std::vector<double> first_satisfied(View<const int> grades, std::size_t top) const;
  double scale_;
};

}  // namespace rankmix::metric
