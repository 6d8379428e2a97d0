// Reciprocal rank: 1 / (rank of the first relevant document), or 0 if the top k have
// none.
//
// With averaged ties: consider the first group with relevant documents, r of n. Rank j
// has the first relevant document with probability r / (n - j + 1) times the probability
// that no earlier rank has a relevant document.
#pragma once
#include "core/metric/precision.h"

namespace rankmix::metric {

class ReciprocalRank : public BinaryMetric {
 public:
  ReciprocalRank(const MetricOptions& options, int relevant, bool single_value)
      : BinaryMetric(options, relevant), single_value_(single_value) {}
  std::unique_ptr<SwapChange> swap_change() const override;
  // The value if the first relevant document is at `rank`, from 0; 0 if there is none.
  double value_at(std::size_t rank) const;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;

 private:
  double expected(const RankedList& list, std::size_t depth) const;
  bool single_value_;  // round the quotient to single precision
};

}  // namespace rankmix::metric
