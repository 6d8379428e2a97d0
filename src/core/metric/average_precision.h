// Average precision.
//
//   AP@k = sum_{i <= min(k, n), r_i relevant} (relevant in the top i) / i / D
//
// D is R, the number of relevant documents, or min(R, k).
//
// With averaged ties: let a group of n documents, r of them relevant, follow n0
// documents, r0 of them relevant. Rank j of the group is relevant with probability r / n.
// In this case, the j - 1 earlier ranks of the group have (j - 1) (r - 1) / (n - 1)
// relevant documents on average. With ties retrieved together, each relevant document of
// a group gets the precision at the end of the group. Source: McSherry & Najork 2008,
// doi:10.1007/978-3-540-78646-7_38.
#pragma once
#include "core/metric/precision.h"

namespace rankmix::metric {

class AveragePrecision : public BinaryMetric {
 public:
  AveragePrecision(const MetricOptions& options, int relevant, bool by_cutoff)
      : BinaryMetric(options, relevant), by_cutoff_(by_cutoff) {}
  std::unique_ptr<SwapChange> swap_change() const override;
  bool averages_precision() const override { return options().k == kWholeList; }
  // The divisor D.
  double scale(const GradeCounts& counts, std::size_t k) const;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;

 private:
  double sum_in_order(const RankedList& list, std::size_t depth) const;
  double sum_over_groups(const RankedList& list, std::size_t depth) const;
  bool by_cutoff_;  // D is min(R, k)
};

}  // namespace rankmix::metric
