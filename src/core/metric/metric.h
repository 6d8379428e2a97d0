// Metrics of ranked lists, and their evaluation for every query of a data set.
//
// Given:   scores, grades 0, 1, 2, ... (negative: not judged), and the queries.
// Result:  one value for each query. NaN: the query is left out of the mean. kUndefined:
//          the metric has no value, but the query counts as 0 in the mean.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/queries.h"
#include "core/metric/ranking.h"

namespace rankmix::metric {

constexpr double kUndefined = std::numeric_limits<double>::infinity();

// One value for each grade of an interval. The interval starts at 0. For levels it starts
// at the lowest level of the query, because the data can have as many levels as
// documents.
template <class T>
class ByGrade {
 public:
  ByGrade() = default;
  ByGrade(std::initializer_list<T> from_zero) : values_(from_zero) {}

  int first() const { return first_; }
  int end() const { return first_ + static_cast<int>(values_.size()); }
  const T& operator[](int grade) const { return values_[at(grade)]; }
  T& operator[](int grade) { return values_[at(grade)]; }

  // Resizes the interval to cover the grades from `lowest` to `highest`, and sets all
  // values to T{}. If `highest` is negative, the interval is empty.
  void clear_between(int lowest, int highest) {
    first_ = highest >= 0 && lowest >= data::kFirstLevel ? lowest : 0;
    values_.assign(highest < 0 ? 0 : static_cast<std::size_t>(highest - first_) + 1, T{});
  }
  // The same interval as `other`, with all values T{}.
  template <class U>
  void clear_as(const ByGrade<U>& other) {
    first_ = other.first();
    values_.assign(static_cast<std::size_t>(other.end() - other.first()), T{});
  }

 private:
  std::size_t at(int grade) const { return static_cast<std::size_t>(grade - first_); }

  int first_ = 0;
  std::vector<T> values_;
};

// The number of judged documents of each grade, ranked or not. These counts determine the
// ideal ranking.
using GradeCounts = ByGrade<std::size_t>;

// Count the grades of a query, which are given directly or by the rows of the query.
// Documents with negative grades are not judged.
void count_grades(View<const int> grades, GradeCounts& counts);
void count_grades(View<const int> rows, View<const int> grades, GradeCounts& counts);

// The number of documents whose grade is at least `relevant`.
std::size_t count_relevant(const GradeCounts& counts, int relevant);

// The input of a metric.
struct RankedList {
  View<const int> grades;            // of the top documents, best first
  View<const std::size_t> tie_ends;  // ends of groups of equal scores, if ties are
                                     // averaged or retrieved together; else empty
  const GradeCounts& counts;         // of all judged documents
};

// The rule for lists that are shorter than the cut-off.
enum class ShortList {
  kPad,      // missing documents count as not relevant
  kShrink,   // the cut-off becomes the length of the list, also for the ideal ranking
  kZero,     // 0
  kNoValue,  // no value, but the query counts in the mean
  kDrop,     // no value, and the query does not count
};

struct MetricOptions {
  std::size_t k = kWholeList;
  double empty = 0.0;  // value of a query without relevant documents
  ShortList short_list = ShortList::kPad;
  RankRule rule;
};

// A value that is a sum over documents of gain of the grade times discount of the rank.
struct RankSum {
  ByGrade<double> gains;
  double unjudged = 0.0;          // the gain of an unjudged document
  std::vector<double> discounts;  // of the top ranks; 0 after them
};

// The formula of a value from the gains z_1, z_2, ... of the ranked documents and the
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
  // The number of top documents that value() uses in a query with these counts.
  virtual std::size_t depth(const GradeCounts&) const { return options_.k; }
  // The value of a list of `length` documents. list.grades must have at least the top
  // `depth`.
  double value(const RankedList& list, std::size_t length) const;

  // The result of the rules for short lists and empty queries. It is a value, or the
  // cut-off for this list if the value depends on the documents.
  struct Settled {
    bool decided;
    double value;
    std::size_t k;
  };
  Settled settle(const GradeCounts& counts, std::size_t length) const;

  // The change of the metric when two documents are swapped (swap.h), or null if it is
  // not defined. The metric must outlive the result.
  virtual std::unique_ptr<SwapChange> swap_change() const;

  // The gains and discounts whose sum is the value of a list of `length` documents.
  // Returns false if the value is not such a sum, or if the metric does not order ties.
  // All gains are 0 if every order has the same value.
  bool rank_sum(const GradeCounts& counts, std::size_t length, RankSum& sum) const;
  // Like rank_sum(), for any GainRule and any rule for ties.
  bool rank_value(const GradeCounts& counts, std::size_t length, GainRule& rule,
                  RankSum& sum) const;
  // True for average precision over the whole list: the mean precision at relevant
  // documents.
  virtual bool averages_precision() const { return false; }

 protected:
  const MetricOptions& options() const { return options_; }
  virtual bool is_empty(const GradeCounts& counts) const = 0;
  // The value from the top `depth` documents, if settle() did not decide. `k` is the
  // cut-off for this list.
  virtual double compute(const RankedList& list, std::size_t depth,
                         std::size_t k) const = 0;
  // The value of compute() as a sum over ranks. Returns false if the value is not such a
  // sum.
  virtual bool sum_over_ranks(const GradeCounts& /*counts*/, std::size_t /*depth*/,
                              std::size_t /*k*/, RankSum& /*sum*/) const {
    return false;
  }
  virtual bool value_over_ranks(const GradeCounts& counts, std::size_t depth,
                                std::size_t k, GainRule& rule, RankSum& sum) const;

 private:
  MetricOptions options_;
};

// Calls visit(begin, end) for the groups of equal scores that start in the top `depth`,
// in order.
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

// Calls visit(i, v) for the ranks i = 0, 1, ... below `depth`. v is value_of(grade at i),
// or its mean over the group if ties are averaged.
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

// One array of the scores of all rows for each ranker.
using Scores = std::vector<const double*>;

// out(q, i * scores.size() + j) = metric i of query q for ranker j. Metrics with the same
// ranking rule share one sorted list.
void evaluate(const std::vector<std::unique_ptr<Metric>>& metrics, const Scores& scores,
              const Documents& documents, const data::Queries& queries, Host& host,
              MatrixView<double> out);

}  // namespace rankmix::metric
