// Where a metric changes with one weight that is a sum over documents of a gain times the
// discount of the rank, as NDCG, precision and others are.
//
// Problem: document i has the score a_i + v x_i, v the weight. It is overtaken by j, or
//          overtakes it, at v = (a_i - a_j) / (x_j - x_i), which moves it by one rank.
// Algorithm: a document whose gain is that of most others, or 0, need not be followed:
//          gains count by what they differ from it, as discounts have one sum. The rank
//          of another after a crossing is that at v = -infinity, and the crossings before
//          it: all pairs of its crossings are compared, which processors do eight at a
//          time and without branches; long lists are sorted. So nothing has to be in the
//          order of v over documents, and where many lines meet in one point the changes
//          of each document still add up. O(m n^2) comparisons a query of n documents
//          with m to be followed, O(m n log n) of more than `kCompared` documents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/linear/weight_line.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

// What does not change with the weight: made once. Queries of weight 0 are skipped.
class RankSums {
 public:
  RankSums(const metric::Judged& judged, View<const double> query_weights);
  // Whether the metric is such a sum in all queries.
  bool possible() const { return possible_; }

 private:
  friend class RankLines;
  // A document to be followed: its index in the query, and its gain less that of most,
  // times the weight of the query.
  struct Followed {
    std::uint32_t index;
    double gain;
  };
  struct Query {
    std::size_t begin;  // of its followed documents, and the end
    std::size_t end;
    std::size_t discounts;  // which of them
  };
  bool add(const metric::Judged& judged, std::size_t query, double query_weight);
  void follow(const metric::Judged& judged, View<const int> rows,
              const metric::RankSum& sum, double query_weight);

  bool possible_ = true;
  std::vector<Query> queries_;
  std::vector<Followed> followed_;
  std::vector<std::vector<double>> discounts_;
  std::vector<std::int32_t> ties_;  // by the places of the order of all queries: the
                                    // order among equals
};

constexpr std::size_t kCompared = 512;

// The changes of one query after the other; keeps its memory, for one thread.
class RankLines {
 public:
  RankLines(const metric::Judged& judged, const RankSums& sums)
      : judged_(judged), sums_(sums) {}
  // Adds the changes of a query. `scores` are those with the weight as it is, `x` the
  // feature; both have a number for each row.
  void run(std::size_t query, const double* scores, const double* x, double weight,
           double unit, std::vector<KeyChange>& changes, ChangeBins& bins);

 private:
  void read_lines(std::size_t query, const double* scores, const double* x,
                  double weight);
  void add_changes(std::int64_t start, std::vector<KeyChange>& changes, ChangeBins& bins);
  void count_before();
  void sort_before();

  const metric::Judged& judged_;
  const RankSums& sums_;
  std::size_t count_ = 0;
  // Of the documents of the query, up to a whole number of blocks.
  std::vector<double> rest_;   // scores without the feature
  std::vector<double> slope_;  // the feature
  std::vector<std::int32_t> ties_;
  std::vector<std::int32_t> valid_;
  std::vector<std::int32_t> keys_;  // of the crossings with the document that is followed
  std::vector<std::int32_t> moves_;   // 1 where that loses a rank there, -1, or 0: none
  std::vector<std::int32_t> before_;  // how far it has moved before
  std::vector<std::uint64_t> sorted_;
  std::vector<KeyChange> found_;
  std::vector<std::int64_t> gain_at_;  // of the ranks to the document that is followed
};

}  // namespace rankmix::linear
