// The values of one weight at which a metric changes. For metrics that are a sum over
// documents of gain times discount of the rank, such as NDCG and precision.
//
// Problem: document i has the score a_i + v x_i with the weight v. Documents i and j swap
//          at v = (a_i - a_j) / (x_j - x_i), which moves each by one rank.
// Algorithm: the discounts have a constant sum. So gains can be measured relative to
//            the most frequent gain. Documents with this gain do not affect the sum and
//            are left out. The rank of a document after a crossing is its rank at v =
//            -infinity plus its moves at the crossings before. The moves are found by
//            comparing all pairs of its crossings, eight at a time and without
//            branches. If there are many crossings, they are sorted. The changes of
//            each document are computed independently. So they add up correctly even
//            where many lines meet in one point.
// Cost:      for a query of n documents, of which m do not have the most frequent gain:
//            O(m n^2) comparisons, or O(m n log n) above `kCompared` documents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/linear/weight_line.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

// The data that do not depend on the weight, computed once. Queries of weight 0 are
// skipped.
class RankSums {
 public:
  RankSums(const metric::Judged& judged, View<const double> query_weights);
  // True if the metric is such a sum in all queries.
  bool possible() const { return possible_; }

 private:
  friend class RankLines;
  // A document to follow: its index in the query, and its gain minus the most frequent
  // gain, times the weight of the query.
  struct Followed {
    std::uint32_t index;
    double gain;
  };
  struct Query {
    std::size_t begin;  // range of its followed documents
    std::size_t end;
    std::size_t discounts;  // index in discounts_
  };
  bool add(const metric::Judged& judged, std::size_t query, double query_weight);
  void follow(const metric::Judged& judged, View<const int> rows,
              const metric::RankSum& sum, double query_weight);

  bool possible_ = true;
  std::vector<Query> queries_;
  std::vector<Followed> followed_;
  std::vector<std::vector<double>> discounts_;
  std::vector<std::int32_t> ties_;  // order among equal scores, of the rows query
                                    // by query
};

constexpr std::size_t kCompared = 512;

// Finds the changes of one query at a time. Keeps its buffers; use one object for each
// thread.
class RankLines {
 public:
  RankLines(const metric::Judged& judged, const RankSums& sums, Host& host)
      : judged_(judged), sums_(sums), host_(host) {}
  // Appends the changes of a query. `scores` are the scores at the current `weight`, and
  // `x` is the feature; both have one number for each row.
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
  Host& host_;
  std::size_t count_ = 0;
  // One element for each document of the query, padded to whole blocks.
  std::vector<double> rest_;   // score without the feature
  std::vector<double> slope_;  // the feature
  std::vector<std::int32_t> ties_;
  std::vector<std::int32_t> valid_;
  std::vector<std::int32_t> keys_;    // crossings with the followed document
  std::vector<std::int32_t> moves_;   // change of its rank at the crossing
  std::vector<std::int32_t> before_;  // sum of the moves of the followed document before
  std::vector<std::uint64_t> sorted_;
  std::vector<KeyChange> found_;
  std::vector<std::int64_t> gain_at_;  // gain of the followed document at each rank
};

}  // namespace rankmix::linear
