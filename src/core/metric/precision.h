// Metrics that count relevant documents in the top ranks. A document is relevant if its
// grade is at least `relevant`.
//
//   precision@k = (relevant in the top min(k, n)) / k, or / n without a cut-off
//   recall@k    = (relevant in the top min(k, n)) / R
//   R-precision = (relevant in the top R) / R
//   F@k         = (1 + b^2) (relevant in the top min(k, n)) / (k + b^2 R), with k = n
//                 without a cut-off
//   success@k   = 1 if a document of the top min(k, n) is relevant, else 0
//   judged@k    = (judged in the top min(k, n)) / k, or / n without a cut-off
//   RBP@k       = (1 - p) sum_{i <= min(k, n)} [r_i relevant] p^(i - 1)
//
// R is the number of relevant documents. A query with R = 0 is empty, except for
// judged@k. With averaged ties the values are expectations. success@k is 1 minus the
// probability that no document of the top is relevant. The other metrics are linear in
// the relevance at the ranks. F@k is the harmonic mean of precision and recall, with b
// times as much weight on recall. Source of rank-biased precision: Moffat & Zobel 2008,
// doi:10.1145/1416950.1416952.
#pragma once
#include <memory>

#include "core/metric/metric.h"
#include "core/metric/swap.h"

namespace rankmix::metric {

// The base of metrics with binary relevance.
class BinaryMetric : public Metric {
 public:
  BinaryMetric(const MetricOptions& options, int relevant)
      : Metric(options), relevant_(relevant) {}
  bool is_relevant(int grade) const { return grade >= relevant_; }

 protected:
  bool is_empty(const GradeCounts& counts) const override {
    return count_relevant(counts) == 0;
  }
  std::size_t count_relevant(const GradeCounts& counts) const {
    return metric::count_relevant(counts, relevant_);
  }
  // The number of relevant documents in the top `depth`, or its expectation.
  double relevant_in_top(const RankedList& list, std::size_t depth) const;
  // The number of relevant documents in the top `depth` times `gain`, as a RankSum.
  bool sum_of_relevant(const GradeCounts& counts, std::size_t depth, double gain,
                       RankSum& sum) const;

 private:
  int relevant_;
};

class Precision : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;
  std::unique_ptr<SwapChange> swap_change() const override;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                      RankSum& sum) const override;
};

// Precision that counts every judged document.
class JudgedFraction : public Precision {
 public:
  explicit JudgedFraction(const MetricOptions& options) : Precision(options, 0) {}

 protected:
  bool is_empty(const GradeCounts&) const override { return false; }
};

class Recall : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                      RankSum& sum) const override;
};

// Recall at a cut-off of R.
class RPrecision : public Recall {
 public:
  using Recall::Recall;
  std::size_t depth(const GradeCounts& counts) const override {
    return count_relevant(counts);
  }
};

class FMeasure : public BinaryMetric {
 public:
  FMeasure(const MetricOptions& options, int relevant, double beta)
      : BinaryMetric(options, relevant), beta_(beta) {}

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                      RankSum& sum) const override;

 private:
  double beta_;
};

class Success : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                        GainRule& rule, RankSum& sum) const override;
};

class RankBiasedPrecision : public BinaryMetric {
 public:
  RankBiasedPrecision(const MetricOptions& options, int relevant, double persistence)
      : BinaryMetric(options, relevant), persistence_(persistence) {}

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
  bool sum_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                      RankSum& sum) const override;

 private:
  double persistence_;
};

}  // namespace rankmix::metric
