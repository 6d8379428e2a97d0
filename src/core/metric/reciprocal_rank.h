// Reciprocal rank: 1 / (rank of the first relevant document), 0 where the top k have
// none.
//
// With averaged ties: in the first group that has relevant documents, r of n, rank j
// holds the first of them with probability r / (n - j + 1) times the probability that
// none came before.
#pragma once
#include "core/metric/precision.h"

namespace rankmix::metric {

class ReciprocalRank : public BinaryMetric {
 public:
  ReciprocalRank(const MetricOptions& options, int relevant, bool single_value)
      : BinaryMetric(options, relevant), single_value_(single_value) {}
  std::unique_ptr<SwapChange> swap_change() const override;
  // Of the first relevant document, from 0; 0 where there is none.
  double value_at(std::size_t rank) const;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;

 private:
  double expected(const RankedList& list, std::size_t depth) const;
  bool single_value_;  // the quotient in single precision
};

}  // namespace rankmix::metric
