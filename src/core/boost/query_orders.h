// The rankings of many queries under scores that change a little from round to round.
//
// Given:     judged queries, and numbers for all rows that are added to the scores.
// Result:    the metric of each query, the same as metric::evaluate() computes.
// Algorithm: documents keep their order from round to round. Insertion sort repairs it in
//            one pass if little has changed; otherwise the documents are sorted anew. The
//            order of tied documents does not depend on scores, so documents are numbered
//            in this order once.
// If a metric averages over all orders of tied documents, tied documents are sorted by
// grade, so that rounding does not depend on the order of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::boost {

class QueryOrders {
 public:
  // Uses only these queries. All scores start at 0. `judged` must outlive this object.
  QueryOrders(const metric::Judged& judged, std::vector<std::size_t> queries);

  // Adds factor * column[row] to the scores of all rows, and writes the metric of each
  // query.
  void add(double factor, const double* column, Host& host, std::vector<double>& values);
  // The metric of each query if the scores are sign * column alone.
  void measure(double sign, const double* column, Host& host,
               std::vector<double>& values) const;
  // Whether sign * column orders the documents as they are ordered now. If it does,
  // adding a positive multiple of the column never changes the order. Documents that are
  // tied now must have equal values in the column.
  bool follows(double sign, const double* column, Host& host) const;

 private:
  struct Item {
    double score;            // rounded as the metric compares scores
    std::uint32_t position;  // rank in its query by the rule of ties
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
  // Calls body(block, q) for all queries. Blocks of queries run in parallel.
  template <class Body>
  void for_each_query(Host& host, const Body& body) const;

  const metric::Judged& judged_;
  std::vector<std::size_t> queries_;
  std::vector<std::size_t> begin_;   // first document of each query
  std::vector<std::size_t> blocks_;  // first query of each block; last: the count
  std::vector<metric::GradeCounts> counts_;
  std::vector<Item> items_;     // by query, best first
  std::vector<double> scores_;  // by position
  std::vector<int> grades_;     // by position
};

}  // namespace rankmix::boost
