// Metrics that count the relevant documents among the top ones; a document is relevant
// where its grade is at least `relevant`.
//
//   precision@k = (relevant in the top min(k, n)) / k, or / n where there is no cut-off
//   recall@k    = (relevant in the top min(k, n)) / R
//   R-precision = (relevant in the top R) / R
//   RBP@k       = (1 - p) sum_{i <= min(k, n)} [r_i relevant] p^(i - 1)
//
// R is the number of relevant documents; a query is empty where it is 0. With averaged
// ties the values are expectations: each is linear in the relevance at the ranks.
// Source of rank-biased precision: Moffat & Zobel 2008, doi:10.1145/1416950.1416952.
#pragma once
#include "core/metric/metric.h"

namespace rankmix::metric {

// A metric that knows only relevant documents and others.
class BinaryMetric : public Metric {
 public:
  BinaryMetric(const MetricOptions& options, int relevant)
      : Metric(options), relevant_(relevant) {}

 protected:
  bool is_empty(const GradeCounts& counts) const override {
    return count_relevant(counts) == 0;
  }
  bool is_relevant(int grade) const { return grade >= relevant_; }
  std::size_t count_relevant(const GradeCounts& counts) const {
    return metric::count_relevant(counts, relevant_);
  }
  // Relevant documents among the top `depth`, or their expected number.
  double relevant_in_top(const RankedList& list, std::size_t depth) const;

 private:
  int relevant_;
};

class Precision : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
};

class Recall : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
};

// Recall by as many documents as are relevant.
class RPrecision : public Recall {
 public:
  using Recall::Recall;
  std::size_t depth(const GradeCounts& counts) const override {
    return count_relevant(counts);
  }
};

class RankBiasedPrecision : public BinaryMetric {
 public:
  RankBiasedPrecision(const MetricOptions& options, int relevant, double persistence)
      : BinaryMetric(options, relevant), persistence_(persistence) {}

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;

 private:
  double persistence_;
};

}  // namespace rankmix::metric
