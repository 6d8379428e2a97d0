// Visits the crossings of the score lines of a query in order.
//
// Problem: documents have the scores a + t b. The ranking, and so the metric, changes
//          only where the scores of two documents cross.
// Given:   a metric and judged queries, a, b, and the range of t, which may be infinite.
// Result:  the values of t at which the metric of a query changes, and the changes.
// Algorithm: documents are sorted for the smallest and for the largest t. The pairs whose
//          order differs are the crossings. They are swapped in the order of t, always as
//          neighbours. The metric is evaluated if a swap changes the ranks that it uses;
//          lines that never reach these ranks are left out. O(n log n + c (log c + k))
//          for a query with c crossings and a metric of k ranks.
// Reference: kinetic sorting, see Basch, Guibas and Hershberger 1999,
//          doi:10.1006/jagm.1998.0988.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

struct Change {
  double t;
  double by;  // change of the metric, times the weight of the query
};

// The sort key of a document among documents of equal scores, by the rule for ties.
// Documents with the same key keep the order of the query.
std::int64_t tie_of(int row, const metric::Documents& documents, metric::Ties ties);

// Sweeps one query at a time. Keeps its buffers; use one object for each thread.
class Sweep {
 public:
  // Finds changes for t in [least, most].
  Sweep(const metric::Judged& judged, double least, double most, Host& host)
      : judged_(judged), min_(least), max_(most), host_(host) {}
  // Appends the changes of a query, with t increasing. `a` and `b` have one number for
  // each row.
  void run(std::size_t query, const double* a, const double* b,
           std::vector<Change>& changes);

 private:
  // A document: its score a + t b, its grade, and its sort key among equal scores.
  struct Line {
    double a;
    double b;
    int grade;
    std::int64_t tie;
  };
  struct Crossing {
    double t;
    std::size_t upper;  // the line that falls below `lower`
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
  Host& host_;
  std::vector<Line> lines_;
  metric::GradeCounts counts_;
  std::vector<Crossing> crossings_;
  std::vector<Crossing> pending_;
  std::vector<std::size_t> above_;  // number of lines that are above a line at both ends
  std::vector<std::size_t> at_;     // line of each rank
  std::vector<std::size_t> rank_;   // rank of each line
  std::vector<int> grades_;
  std::vector<std::size_t> ends_;
  std::size_t top_ = 0;
  bool groups_ = false;
  bool changed_ = false;
};

}  // namespace rankmix::linear
