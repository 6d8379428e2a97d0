// Discounted cumulative gain, normalised DCG, and mean NDCG.
//
//   DCG@k     = sum_{i <= min(k, n)} gain(r_i) * discount(i)
//   NDCG@k    = DCG@k / DCG@k of the ideal ranking
//   mean NDCG = 1/m sum_{j <= m} NDCG@j,  m = min(k, n)
//
// r_i is the grade at rank i of n. A query is empty if no document has a positive gain,
// or if its ideal DCG is 0 because of discounts of 0. Mean NDCG treats each cut-off with
// ideal DCG 0 as empty. With averaged ties the values are expectations; each value is
// linear in the gains at the ranks. Source: Jarvelin & Kekalainen 2002,
// doi:10.1145/582415.582418; mean NDCG: LETOR 4.0.
#pragma once
#include <memory>

#include "core/metric/gains.h"
#include "core/metric/metric.h"
#include "core/metric/swap.h"

namespace rankmix::metric {

class Dcg : public Metric {
 public:
  Dcg(const MetricOptions& options, Gains gains, Discounts discounts)
      : Metric(options), gains_(std::move(gains)), discounts_(std::move(discounts)) {}
  std::unique_ptr<SwapChange> swap_change() const override;
  // The divisor of the discounted gains in a query, such as the ideal DCG.
  virtual double scale(const GradeCounts&, std::size_t /*k*/) const { return 1.0; }
  const Gains& gains() const { return gains_; }
  const Discounts& discounts() const { return discounts_; }

 protected:
  bool is_empty(const GradeCounts& counts) const override { return !gains_.any(counts); }
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                      RankSum& sum) const override;

 private:
  Gains gains_;
  Discounts discounts_;
};

class Ndcg : public Dcg {
 public:
  using Dcg::Dcg;
  // The DCG of the ideal ranking.
  double scale(const GradeCounts& counts, std::size_t k) const override;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
};

class MeanNdcg : public Dcg {
 public:
  using Dcg::Dcg;
  std::unique_ptr<SwapChange> swap_change() const override { return nullptr; }

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  // Deliberately not supported: a sum over all cut-offs would be a sum over ranks, but is
  // rarely needed.
  bool sum_over_ranks(const GradeCounts&, std::size_t, std::size_t,
                      RankSum&) const override {
    return false;
  }
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;
};

}  // namespace rankmix::metric
