// Discounted cumulative gain, plain, normalised, and normalised on average.
//
//   DCG@k     = sum_{i <= min(k, n)} gain(r_i) * discount(i)
//   NDCG@k    = DCG@k / DCG@k of the best ranking
//   mean NDCG = 1/m sum_{j <= m} NDCG@j,  m = min(k, n)
//
// r_i is the grade at rank i of n. A query is empty where no document has a gain, or none
// that a discount lets through; mean NDCG counts such a cut-off as empty too. With
// averaged ties the values are expectations: each is linear in the gains at the ranks.
// Source: Jarvelin & Kekalainen 2002, doi:10.1145/582415.582418; mean NDCG: LETOR 4.0.
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
  // What a sum of discounted gains is divided by in a query; 0 where that is 0.
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
  // The DCG of the best ranking.
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
  // A sum of sums over all cut-offs is one too, but is seldom asked for.
  bool sum_over_ranks(const GradeCounts&, std::size_t, std::size_t,
                      RankSum&) const override {
    return false;
  }
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;
};

}  // namespace rankmix::metric
