// Collects the documents of a query in consecutive arrays for an objective.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// Gathers one query at a time; keeps its buffers.
class Gatherer {
 public:
  Gatherer(const Documents& documents, bool in_score_order)
      : documents_(documents), in_score_order_(in_score_order) {}

  // `scores` has the scores of all rows. The query must have documents. The result is
  // valid until the next call.
  Query gather(std::size_t query, View<const double> scores);
  // A buffer with one number for each document of the query.
  std::vector<double>& buffer(std::size_t which) { return buffers_[which]; }

 private:
  struct ScoredRow {
    double score;
    int row;
  };
  bool comes_before(const ScoredRow& a, const ScoredRow& b) const;
  void sort_indices();
  void sort_by_count();
  void sort_by_keys();
  template <class Says>
  void sort_alike(const Says& says);

  const Documents& documents_;
  bool in_score_order_;
  std::vector<ScoredRow> scored_rows_;
  std::vector<ScoredRow> sorted_;
  std::vector<std::int64_t> keys_;  // keys, then scratch of the same size
  std::vector<std::int32_t> counted_;
  std::vector<std::uint32_t> count_;
  std::vector<int> rows_;
  std::vector<int> grades_;
  std::vector<double> scores_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::array<std::vector<double>, 2> buffers_;
};

}  // namespace rankmix::objective
