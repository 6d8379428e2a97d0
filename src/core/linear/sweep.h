// The crossings of the lines of scores of a query, in their order.
//
// Problem: documents have the scores a + t b. Their ranking, and so any metric of it,
//          changes only where scores of two documents cross.
// Given:   a metric and judged queries, a, b, and the range of t, which may be infinite.
// Result:  the t where the metric of a query changes, and by how much.
// Algorithm: documents are sorted for the least t and for the largest; the pairs whose
//          order differs are what crosses. They are swapped one after the other in the
//          order of their t, always as neighbours, and the metric is looked at anew where
//          that reaches its top; lines that never come there are left out. O(n log n + c
//          (log c + k)) a query with c crossings and a metric of k ranks.
// Reference: kinetic sorting, see Basch, Guibas and Hershberger 1999,
//          doi:10.1006/jagm.1998.0988.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/metric/judged.h"

namespace rankmix::linear {

struct Change {
  double t;
  double by;  // times the weight of the query
};

// The position of a document among those of equal scores by the rule of ties. Documents
// with the same position keep the order of the query.
std::int64_t tie_of(int row, const metric::Documents& documents, metric::Ties ties);

// Of one query after the other; keeps its memory, for one thread.
class Sweep {
 public:
  // a and b have a number for each row.
  Sweep(const metric::Judged& judged, double least, double most)
      : judged_(judged), min_(least), max_(most) {}
  // Adds the changes of a query, t increasing.
  void run(std::size_t query, const double* a, const double* b,
           std::vector<Change>& changes);

 private:
  // A document: its score a + t b, its grade, and its position among equals.
  struct Line {
    double a;
    double b;
    int grade;
    std::int64_t tie;
  };
  struct Crossing {
    double t;
    std::size_t upper;  // the line that falls behind `lower`
    std::size_t lower;
  };

  void read_lines(View<const int> rows, const double* a, const double* b);
  bool alike() const;
  std::vector<std::size_t> order_at(double t) const;
  template <class Meet>
  void meet_crossings(std::vector<std::size_t> sorted, const Meet& meet) const;
  void find_crossings();
  void set_ranks(const std::vector<std::size_t>& order);
  void leave_out_low_lines();
  double crossing_of(const Line& upper, const Line& lower) const;
  void swap_pending();
  double value_now();

  const metric::Judged& judged_;
  double min_;
  double max_;
  std::vector<Line> lines_;
  metric::GradeCounts counts_;
  std::vector<Crossing> crossings_;
  std::vector<Crossing> pending_;
  std::vector<std::size_t> above_;  // how many lines are above each from end to end
  std::vector<std::size_t> at_;     // the lines, best first
  std::vector<std::size_t> rank_;   // where each is
  std::vector<int> grades_;
  std::vector<std::size_t> ends_;
  std::size_t top_ = 0;
  bool groups_ = false;
  bool changed_ = false;
};

}  // namespace rankmix::linear
