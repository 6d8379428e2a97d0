// The rankings of many queries under scores that change a little from round to round.
//
// Given:     judged queries, and numbers for all rows that are added to the scores.
// Result:    the metric of each query, the same as metric::evaluate() has of the scores.
// Tied documents of which every order counts are taken by grade, so that the order of
// rows does not change how sums are rounded. Algorithm: documents stay in the order that
// they had; insertion repairs it in one pass
//            where little changed, and where much did they are sorted anew. The rule of
//            ties does not depend on scores, so that documents are numbered by it once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::boost {

class QueryOrders {
 public:
  // Only these queries are looked at. All scores are 0. `judged` must outlive it.
  QueryOrders(const metric::Judged& judged, std::vector<std::size_t> queries);

  // Adds factor * column[row] to the scores of all rows, and writes the metric of each
  // query.
  void add(double factor, const double* column, Host& host, std::vector<double>& values);
  // The metric of each query by sign * column alone.
  void measure(double sign, const double* column, Host& host,
               std::vector<double>& values) const;
  // Whether sign * column orders the documents as they are ordered now, so that no
  // multiple of it changes that: where it is alike, scores are alike or decide.
  bool follows(double sign, const double* column, Host& host) const;

 private:
  struct Item {
    double score;            // as the metric compares it
    std::uint32_t position;  // of the document among its query's by the rule of ties
    std::uint32_t row;
  };
  struct Scratch {
    std::vector<Item> items;
    std::vector<int> grades;
    std::vector<std::size_t> tie_ends;
  };
  static bool before(const Item& a, const Item& b) {
    return a.score > b.score || (a.score == b.score && a.position < b.position);
  }
  static void repair(Item* items, std::size_t count);
  void number_documents();
  double compared(double score) const;
  double value_of(std::size_t q, const Item* items, Scratch& scratch) const;
  // Calls body(block, q) for all queries, a block of them at a time.
  template <class Body>
  void for_each_query(Host& host, const Body& body) const;

  const metric::Judged& judged_;
  std::vector<std::size_t> queries_;
  std::vector<std::size_t> begin_;   // of the documents of each query
  std::vector<std::size_t> blocks_;  // the first query of each block, and their number
  std::vector<metric::GradeCounts> counts_;
  std::vector<Item> items_;     // query after query, best first
  std::vector<double> scores_;  // by position
  std::vector<int> grades_;     // by position
};

}  // namespace rankmix::boost
