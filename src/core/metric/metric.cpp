#include "core/metric/metric.h"

#include <algorithm>

#include "core/base/errors.h"
#include "core/metric/judged.h"
#include "core/metric/swap.h"

namespace rankmix::metric {
namespace {

// Queries of a task. Single queries with short lists would not justify a task.
constexpr std::size_t kQueryBlock = 64;

// Metrics that can use the same sorted list.
struct Family {
  RankRule rule;
  std::vector<std::size_t> metrics;
};

// A list that is sorted in input order also serves averaged ties.
Ties sorted_as(Ties ties) { return needs_groups(ties) ? Ties::kOrder : ties; }

std::vector<Family> families_of(const std::vector<std::unique_ptr<Metric>>& metrics) {
  std::vector<Family> families;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const RankRule rule = metrics[i]->rule();
    auto fits = [&](const Family& f) {
      return sorted_as(f.rule.ties) == sorted_as(rule.ties) &&
             f.rule.single_scores == rule.single_scores;
    };
    auto family = std::find_if(families.begin(), families.end(), fits);
    if (family == families.end()) {
      families.push_back({rule, {}});
      family = families.end() - 1;
    }
    if (needs_groups(rule.ties)) {
      family->rule.ties = rule.ties;
    }
    family->metrics.push_back(i);
  }
  return families;
}

// Evaluates the queries of one task; keeps its buffers.
class QueryEvaluator {
 public:
  QueryEvaluator(const std::vector<std::unique_ptr<Metric>>& metrics,
                 const std::vector<Family>& families, const Scores& scores,
                 const Documents& documents, MatrixView<double> out)
      : metrics_(metrics),
        families_(families),
        scores_(scores),
        documents_(documents),
        out_(out) {}

  void run(std::size_t query, View<const int> rows) {
    count_grades(rows, documents_.grades, counts_);
    for (std::size_t j = 0; j < scores_.size(); ++j) {
      for (const Family& family : families_) {
        run_family(query, rows, j, family);
      }
    }
  }

 private:
  void run_family(std::size_t query, View<const int> rows, std::size_t column,
                  const Family& family) {
    std::size_t depth = 0;
    for (std::size_t i : family.metrics) {
      depth = std::max(depth, metrics_[i]->depth(counts_));
    }
    ranker_.rank(rows, scores_[column], documents_, family.rule, depth);
    grades_.clear();
    for (int row : ranker_.rows()) {
      grades_.push_back(documents_.grades[static_cast<std::size_t>(row)]);
    }
    const RankedList in_order{grades_, {}, counts_};
    const RankedList in_groups{grades_, ranker_.group_ends(), counts_};
    for (std::size_t i : family.metrics) {
      const bool groups = needs_groups(metrics_[i]->rule().ties);
      out_(query, i * scores_.size() + column) =
          metrics_[i]->value(groups ? in_groups : in_order, ranker_.length());
    }
  }

  const std::vector<std::unique_ptr<Metric>>& metrics_;
  const std::vector<Family>& families_;
  const Scores& scores_;
  const Documents& documents_;
  MatrixView<double> out_;
  Ranker ranker_;
  std::vector<int> grades_;
  GradeCounts counts_;
};

// `grade_of(i)` is the grade of document i of `size`.
template <class GradeOf>
void count_each(std::size_t size, const GradeOf& grade_of, GradeCounts& counts) {
  int lowest = std::numeric_limits<int>::max();
  int highest = -1;
  for (std::size_t i = 0; i < size; ++i) {
    const int grade = grade_of(i);
    lowest = grade >= 0 && grade < lowest ? grade : lowest;
    highest = std::max(highest, grade);
  }
  counts.clear_between(lowest, highest);
  for (std::size_t i = 0; i < size; ++i) {
    const int grade = grade_of(i);
    if (grade >= 0) {
      ++counts[grade];
    }
  }
}

}  // namespace

void count_grades(View<const int> grades, GradeCounts& counts) {
  count_each(
      grades.size(), [&](std::size_t i) { return grades[i]; }, counts);
}

void count_grades(View<const int> rows, View<const int> grades, GradeCounts& counts) {
  count_each(
      rows.size(),
      [&](std::size_t i) { return grades[static_cast<std::size_t>(rows[i])]; }, counts);
}

std::size_t count_relevant(const GradeCounts& counts, int relevant) {
  std::size_t sum = 0;
  for (int g = std::max(relevant, counts.first()); g < counts.end(); ++g) {
    sum += counts[g];
  }
  return sum;
}

Metric::~Metric() = default;

std::unique_ptr<SwapChange> Metric::swap_change() const { return nullptr; }

Metric::Settled Metric::settle(const GradeCounts& counts, std::size_t length) const {
  std::size_t k = options_.k;
  if (k != kWholeList && length < k) {
    switch (options_.short_list) {
      case ShortList::kZero:
        return {true, 0.0, k};
      case ShortList::kNoValue:
        return {true, kUndefined, k};
      case ShortList::kDrop:
        return {true, std::numeric_limits<double>::quiet_NaN(), k};
      case ShortList::kShrink:
        k = length;
        break;
      case ShortList::kPad:
        break;
    }
  }
  if (is_empty(counts)) {
    return {true, options_.empty, k};
  }
  // A shrunken cut-off of 0 means that nothing was retrieved.
  return {k == 0, 0.0, k};
}

double Metric::value(const RankedList& list, std::size_t length) const {
  const Settled settled = settle(list.counts, length);
  return settled.decided ? settled.value
                         : compute(list, std::min(depth(list.counts), length), settled.k);
}

bool Metric::rank_sum(const GradeCounts& counts, std::size_t length, RankSum& sum) const {
  sum.gains.clear_as(counts);
  sum.unjudged = 0.0;
  sum.discounts.clear();
  const Settled settled = settle(counts, length);
  return !needs_groups(options_.rule.ties) &&
         (settled.decided ||
          sum_over_ranks(counts, std::min(depth(counts), length), settled.k, sum));
}

bool Metric::value_over_ranks(const GradeCounts& counts, std::size_t depth, std::size_t k,
                              GainRule& rule, RankSum& sum) const {
  rule = GainRule::kSum;
  return sum_over_ranks(counts, depth, k, sum);
}

bool Metric::rank_value(const GradeCounts& counts, std::size_t length, GainRule& rule,
                        RankSum& sum) const {
  rule = GainRule::kSum;
  sum.gains.clear_as(counts);
  sum.unjudged = 0.0;
  sum.discounts.clear();
  const Settled settled = settle(counts, length);
  return settled.decided ||
         value_over_ranks(counts, std::min(depth(counts), length), settled.k, rule, sum);
}

void evaluate(const std::vector<std::unique_ptr<Metric>>& metrics, const Scores& scores,
              const Documents& documents, const data::Queries& queries, Host& host,
              MatrixView<double> out) {
  if (queries.order.size() != documents.grades.size() || out.rows() != queries.count() ||
      out.cols() != metrics.size() * scores.size()) {
    throw InvalidArgument("scores, grades, queries and metrics differ in size");
  }
  const std::vector<Family> families = families_of(metrics);
  const std::size_t blocks = (queries.count() + kQueryBlock - 1) / kQueryBlock;
  host.parallel_for(blocks, [&](std::size_t block) {
    QueryEvaluator evaluator(metrics, families, scores, documents, out);
    const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      evaluator.run(q, queries.rows_of(q));
    }
  });
}

}  // namespace rankmix::metric
