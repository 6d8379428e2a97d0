// The weights of RankBoost, one for each pair of documents of a query with different
// grades, of which none is ever kept.
//
// Given:     grades, queries and their weights v_q; later the weak rankers h of the
// rounds
//            and their weights alpha.
// Result:    D(i, j) proportional to w_q exp(H(j) - H(i)) for documents i, j of query q,
//            g_i > g_j, with H = sum alpha h; w_q is v_q, or v_q by the number of the
//            query's pairs. Of each document the potential pi(x) = sum_j D(x, j) - sum_i
//            D(i, x), so that r = sum_ij D(i, j) (h(i) - h(j)) = sum_x pi(x) h(x).
// Algorithm: a level is the documents of a query with one grade. A pair's weight is a
//            product of exp(H(j) - A), A the largest H of j's level, exp(B - H(i)), B the
//            least of i's, and exp(A - B), each of which, relative to the sum of all, is
//            at most 1 whatever H is. So sums over levels are all there is to add up: n +
//            L^2 steps for the n documents of a query with L levels.
// Sums are of whole units, so that the order of rows and queries changes nothing.
// Reference: Freund, Iyer, Schapire & Singer 2003 (RankBoost.B, for any number of
// grades).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::boost {

// Twice what a weak ranker gives a row: 0, 1 or 2.
using Heights = std::vector<std::uint8_t>;

enum class PairScheme {
  kPlain,  // queries of equal weight have pairs of equal weight
  kQuery   // the pairs of each query have the same total weight
};

class PairWeights {
 public:
  // `query_weights` has one a query, or is empty: all are 1. Those of weight 0 have no
  // pairs.
  PairWeights(const data::Queries& queries, View<const int> grades,
              View<const double> query_weights, PairScheme scheme, Host& host);

  bool empty() const { return query_begin_.size() == 1; }
  // The least weight of a pair before the first round, the sum of all being 1.
  double least() const { return min_; }
  // pi(x) of each row as 64 bits in units of 2^-61, relative to the sum of all weights
  // before the last update; now they sum to sum().
  const std::vector<std::uint32_t>& potentials() const { return potentials_; }
  double sum() const { return sum_; }
  // sum_ij D(i, j) (h(i) - h(j)), D summing to 1.
  double edge(const Heights& heights, Host& host) const;

  // The weights of pairs that h orders rightly and wrongly, each times |h(i) - h(j)|.
  struct Sides {
    double right;
    double wrong;
  };
  Sides sides(const Heights& heights, Host& host) const;

  // H += alpha h
  void update(const Heights& heights, double alpha, Host& host);

 private:
  struct Level {
    std::size_t begin;  // of its documents, which end where the next level's begin
    double most;        // H of its documents
    double least;
    double lower;  // sum of exp(H - most)
    double upper;  // sum of exp(least - H)
  };
  struct Coefficients {
    double above;  // of exp(least - H): the weight of ranking above lower grades
    double below;  // of exp(H - most): what it costs to be below higher ones
  };
  // The sums of a level by the height of its documents.
  struct ByHeight {
    double lower[3];
    double upper[3];
  };
  struct Scratch {
    std::vector<Coefficients> coefficients;
    std::vector<ByHeight> by_height;
  };
  void lay_out(const data::Queries& queries, View<const int> grades,
               View<const double> query_weights, PairScheme scheme);
  void cut_blocks();
  void set_weights(Host& host);
  double set_query_weights(std::size_t q, std::vector<Coefficients>& coefficients);
  ByHeight sums_by_height(const Level& level, std::size_t end,
                          const Heights& heights) const;
  Sides sides_of_query(std::size_t q, const Heights& heights,
                       std::vector<ByHeight>& sums) const;
  void measure_level(Level& level, std::size_t end);
  // The largest weight of a pair of levels, relative to the sum.
  double largest(std::size_t q, const Level& lower, const Level& upper) const;
  // Calls body(q, scratch) for all queries, and adds up what it gives, numbers that sum
  // to 1 at most.
  template <class Body>
  double sum_over_queries(Host& host, const Body& body) const;

  std::size_t rows_;
  double min_ = 0.0;
  std::vector<std::size_t> query_begin_{0};  // of levels
  std::vector<std::size_t> blocks_;          // the first query of each, and their number
  std::vector<double> log_weights_;          // log w_q
  std::vector<Level> levels_;
  std::vector<std::uint32_t> row_;  // documents by query and grade
  std::vector<double> heights_;     // their H,
  std::vector<double> lower_;       // exp(H - most of the level),
  std::vector<double> upper_;       // and exp(least of the level - H)
  std::vector<std::uint32_t> potentials_;
  double log_sum_ = 0.0;  // of the weights before the last update
  double sum_ = 1.0;
};

}  // namespace rankmix::boost
