#include "core/metric/metric.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::metric {
namespace {

// Queries of a task; small lists alone would not pay for one.
constexpr std::size_t kQueryBlock = 64;

// Sorts the first `depth` of `positions` by decreasing score, ties by input order.
void rank_top(View<const int> rows, const double* scores, std::size_t depth,
              std::vector<int>& ranked) {
  ranked.assign(rows.begin(), rows.end());
  // Within a query rows increase, so the row number is the input order.
  auto before = [scores](int a, int b) {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
  };
  if (depth < ranked.size()) {
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(depth),
                      ranked.end(), before);
    ranked.resize(depth);
  } else {
    std::sort(ranked.begin(), ranked.end(), before);
  }
}

GradeCounts count_grades(View<const int> rows, View<const int> grades) {
  GradeCounts counts;
  for (int row : rows) {
    const std::size_t grade = static_cast<std::size_t>(grades[row]);
    if (grade >= counts.size()) {
      counts.resize(grade + 1, 0);
    }
    ++counts[grade];
  }
  return counts;
}

}  // namespace

double exponential_gain(int grade) { return std::ldexp(1.0, grade) - 1.0; }

void evaluate(const Metric& metric, MatrixView<const double> scores,
              View<const int> grades, const data::Queries& queries, Host& host,
              MatrixView<double> out) {
  if (scores.rows() != grades.size() || out.rows() != queries.count()) {
    throw InvalidArgument("scores, grades and queries differ in size");
  }
  const std::size_t blocks = (queries.count() + kQueryBlock - 1) / kQueryBlock;
  host.parallel_for(blocks, [&](std::size_t block) {
    std::vector<int> ranked;
    const std::size_t end = std::min(queries.count(), (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      const View<const int> rows = queries.rows_of(q);
      const GradeCounts counts = count_grades(rows, grades);
      for (std::size_t j = 0; j < scores.cols(); ++j) {
        rank_top(rows, scores.col(j), metric.depth(), ranked);
        for (int& row : ranked) {
          row = grades[row];
        }
        out(q, j) = metric.value(ranked, counts);
      }
    }
  });
}

}  // namespace rankmix::metric
