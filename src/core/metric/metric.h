// A metric of one ranked list, and the values of several for every query of a data set.
//
// Given:   scores, grades 0, 1, 2, ... (negative: not judged), and the queries.
// Result:  one value a query; NaN where the metric leaves a query out of the mean, and
//          kUndefined where it has no value there but the query counts in the mean.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"
#include "core/metric/ranking.h"

namespace rankmix::metric {

constexpr double kUndefined = std::numeric_limits<double>::infinity();

// Grades as counts: by_grade[g] judged documents have grade g, ranked or not. They
// determine the ideal ranking.
using GradeCounts = std::vector<std::size_t>;

// Documents whose grade is at least `relevant`.
std::size_t count_relevant(const GradeCounts& counts, int relevant);

// A ranked list as a metric sees it.
struct RankedList {
  View<const int> grades;            // of the top documents, best first
  View<const std::size_t> tie_ends;  // of the groups of equal scores where ties are
                                     // averaged or retrieved together; empty otherwise
  const GradeCounts& counts;         // of all judged documents
};

// The value of a list that is shorter than the cut-off.
enum class ShortList {
  kPad,      // the missing documents count as not relevant
  kShrink,   // the cut-off becomes the length of the list, in the ideal ranking too
  kZero,     // 0
  kNoValue,  // nothing, but the query counts in the mean
  kDrop,     // nothing, and the query does not count
};

struct MetricOptions {
  std::size_t k = kWholeList;
  double empty = 0.0;  // the value of a query without relevant documents
  ShortList short_list = ShortList::kPad;
  RankRule rule;
};

// A value that is a sum over documents of the gain of the grade times the discount of the
// rank.
struct RankSum {
  std::vector<double> gains;      // of the grades 0, 1, 2, ... that there are
  double unjudged = 0.0;          // the gain of an unjudged document
  std::vector<double> discounts;  // of the top ranks; 0 from there on
};

// How a value follows from the gains z_1, z_2, ... of the ranked documents and the
// discounts c of a RankSum.
enum class GainRule {
  kSum,        // sum_r c_r z_r
  kFirst,      // sum_r c_r z_r prod_{l < r} (1 - z_l)
  kPrecision,  // sum_r c_r z_r (z_1 + ... + z_r) / r
};

class SwapChange;

class Metric {
 public:
  explicit Metric(const MetricOptions& options) : options_(options) {}
  virtual ~Metric();
  const RankRule& rule() const { return options_.rule; }
  // How many of the top documents value() looks at, in a query with these counts.
  virtual std::size_t depth(const GradeCounts&) const { return options_.k; }
  // `length` documents are ranked; list.grades holds at least the top `depth` of them.
  double value(const RankedList& list, std::size_t length) const;

  // The result of the rules for short lists and empty queries: the value, or the cut-off
  // for this list where its documents decide.
  struct Settled {
    bool decided;
    double value;
    std::size_t k;
  };
  Settled settle(const GradeCounts& counts, std::size_t length) const;

  // The change of the metric when two documents are swapped, see swap.h; null where it is
  // not defined. The metric must outlive it.
  virtual std::unique_ptr<SwapChange> swap_change() const;

  // The gains and discounts whose sum is the value of a list of `length` documents. False
  // where the value is no such sum, or ties have no order. All gains are 0 where every
  // order has the same value.
  bool rank_sum(const GradeCounts& counts, std::size_t length, RankSum& sum) const;
  // The same by any rule, whatever ties are.
  bool rank_value(const GradeCounts& counts, std::size_t length, GainRule& rule,
                  RankSum& sum) const;
  // Whether it is the mean precision at the relevant documents of the whole list.
  virtual bool averages_precision() const { return false; }

 protected:
  const MetricOptions& options() const { return options_; }
  virtual bool is_empty(const GradeCounts& counts) const = 0;
  // The value by the top `depth` documents, where neither rule above applies; `k` is the
  // cut-off for this list.
  virtual double compute(const RankedList& list, std::size_t depth,
                         std::size_t k) const = 0;
  // The same as a sum, of the same list.
  virtual bool sum_over_ranks(const GradeCounts& /*counts*/, std::size_t /*depth*/,
                              std::size_t /*k*/, RankSum& /*sum*/) const {
    return false;
  }
  virtual bool value_over_ranks(const GradeCounts& counts, std::size_t depth,
                                std::size_t k, GainRule& rule, RankSum& sum) const;

 private:
  MetricOptions options_;
};

// Calls visit(begin, end) for the groups of equal scores that begin among the top
// `depth`, in order.
template <class Visit>
void visit_groups(const RankedList& list, std::size_t depth, const Visit& visit) {
  std::size_t begin = 0;
  for (std::size_t end : list.tie_ends) {
    if (begin >= depth) {
      return;
    }
    visit(begin, end);
    begin = end;
  }
}

// Calls visit(i, v) for the ranks i = 0, 1, ... below `depth`, where v is value_of() of
// the grade there, averaged over the orders of tied documents where those are averaged.
template <class ValueOf, class Visit>
void visit_ranks(const RankedList& list, std::size_t depth, const ValueOf& value_of,
                 const Visit& visit) {
  if (list.tie_ends.empty()) {
    for (std::size_t i = 0; i < depth; ++i) {
      visit(i, value_of(list.grades[i]));
    }
    return;
  }
  visit_groups(list, depth, [&](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += value_of(list.grades[i]);
    }
    const double mean = sum / static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end && i < depth; ++i) {
      visit(i, mean);
    }
  });
}

// The scores of rankers, one array of all rows for each.
using Scores = std::vector<const double*>;

// out(q, i * scores.size() + j) = metric i of query q under ranker j. Metrics with the
// same rule of ranking share one sorted list.
void evaluate(const std::vector<std::unique_ptr<Metric>>& metrics, const Scores& scores,
              const Documents& documents, const data::Queries& queries, Host& host,
              MatrixView<double> out);

}  // namespace rankmix::metric
