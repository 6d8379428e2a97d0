// The weights of RankBoost: one for each pair of documents of a query with different
// grades. Pairs are never stored.
//
// Given:     grades, queries and their weights v_q; then, round by round, weak rankers h
//            and their weights alpha.
// Result:    D(i, j) proportional to w_q exp(H(j) - H(i)) for documents i, j of query q
//            with g_i > g_j, where H = sum alpha h. w_q is v_q, or v_q divided by the
//            number of the query's pairs.
//            Each document x has the potential pi(x) = sum_j D(x, j) - sum_i D(i, x), so
//            that r = sum_ij D(i, j) (h(i) - h(j)) = sum_x pi(x) h(x).
// Algorithm: a level is the set of documents of a query with one grade. Let A be the
//            largest H of j's level, and B the smallest H of i's level. The weight of a
//            pair is the product of exp(H(j) - A), exp(B - H(i)) and exp(A - B). For any
//            H, the first two factors are at most 1, and so is the third one relative to
//            the sum of all weights. Only sums over levels are needed: n + L^2 steps for
//            the n documents of a query with L levels.
// Sums are computed in integers, so they do not depend on the order of rows and queries.
// With several ranks, sums cover the queries of all ranks.
// Reference: Freund, Iyer, Schapire & Singer 2003 (RankBoost.B, for any number of
//            grades).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::boost {

// Twice the output of a weak ranker for each row: 0, 1 or 2.
using Heights = std::vector<std::uint8_t>;

enum class PairScheme {
  kPlain,  // pairs have the weight of their query
  kQuery   // pairs of a query have its weight in total
};

class PairWeights {
 public:
  // `query_weights` has one weight per query; if it is empty, all are 1. Queries of
  // weight 0 have no pairs.
  PairWeights(const data::Queries& queries, View<const int> grades,
              View<const double> query_weights, PairScheme scheme, Host& host);

  // Whether no rank has pairs.
  bool empty() const { return empty_; }
  // The smallest weight of a pair before the first round, if all weights sum to 1.
  double least() const { return min_; }
  // pi(x) of each row as 64 bits in units of 2^-61, relative to the sum of all weights
  // before the last update. Relative to that sum, the current weights sum to sum().
  const std::vector<std::uint32_t>& potentials() const { return potentials_; }
  double sum() const { return sum_; }
  // sum_ij D(i, j) (h(i) - h(j)), where D sums to 1.
  double edge(const Heights& heights, Host& host) const;

  // The total weights of pairs that h orders correctly and incorrectly, each times |h(i)
  // - h(j)|.
  struct Sides {
    double right;
    double wrong;
  };
  Sides sides(const Heights& heights, Host& host) const;

  // H += alpha h
  void update(const Heights& heights, double alpha, Host& host);

 private:
  struct Level {
    std::size_t begin;  // first document; the level ends where the next begins
    double most;        // largest H of its documents; `least` is the smallest
    double least;
    double lower;  // sum of exp(H - most)
    double upper;  // sum of exp(least - H)
  };
  struct Coefficients {
    double above;  // factor of exp(least - H), from pairs with lower grades
    double below;  // factor of exp(H - most), from pairs with higher grades
  };
  // The sums of a level, by the output of the weak ranker for its documents.
  struct ByHeight {
    double lower[3];
    double upper[3];
  };
  struct Scratch {
    std::vector<Coefficients> coefficients;
    std::vector<ByHeight> by_height;
  };
  void lay_out(const data::Queries& queries, View<const int> grades,
               View<const double> query_weights, PairScheme scheme, Host& host);
  void cut_blocks();
  void set_weights(Host& host);
  double set_query_weights(std::size_t q, std::vector<Coefficients>& coefficients);
  ByHeight sums_by_height(const Level& level, std::size_t end,
                          const Heights& heights) const;
  Sides sides_of_query(std::size_t q, const Heights& heights,
                       std::vector<ByHeight>& sums) const;
  void measure_level(Level& level, std::size_t end);
  // The factor exp(A - B) of two levels, times w_q and relative to the sum of all
  // weights. It is the largest possible weight of their pairs.
  double largest(std::size_t q, const Level& lower, const Level& upper) const;
  // Calls body(q, scratch) for all queries and returns the sum of its results over all
  // ranks, which must be at most 1.
  template <class Body>
  double sum_over_queries(Host& host, const Body& body) const;

  std::size_t rows_;
  bool empty_ = true;
  double min_ = 0.0;
  std::vector<std::size_t> query_begin_{0};  // levels of each query
  std::vector<std::size_t> blocks_;          // first query of each block; last: the count
  std::vector<double> log_weights_;          // log w_q
  std::vector<Level> levels_;
  std::vector<std::uint32_t> row_;  // rows, by query and grade
  std::vector<double> heights_;     // H of row_
  std::vector<double> lower_;       // exp(H - most of the level)
  std::vector<double> upper_;       // exp(least of the level - H)
  std::vector<std::uint32_t> potentials_;
  double log_sum_ = 0.0;  // log of the sum before the last update
  double sum_ = 1.0;
};

}  // namespace rankmix::boost
