#include "core/linear/sweep.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/long_query.h"
#include "core/base/sort.h"

namespace rankmix::linear {

std::int64_t tie_of(int row, const metric::Documents& documents, metric::Ties ties) {
  const std::size_t i = static_cast<std::size_t>(row);
  switch (ties) {
    case metric::Ties::kBest:
      return -static_cast<std::int64_t>(documents.grades[i]);
    case metric::Ties::kWorst:
      return documents.grades[i];
    case metric::Ties::kDocument:
      return documents.positions[i];
    default:
      return 0;
  }
}

void Sweep::run(std::size_t query, const double* a, const double* b,
                std::vector<Change>& changes) {
  const View<const int> rows = judged_.queries.rows_of(query);
  metric::count_grades(rows, judged_.documents.grades, counts_);
  read_lines(rows, a, b);
  if (alike()) {
    return;
  }
  groups_ = metric::needs_groups(judged_.metric.rule().ties);
  top_ = groups_ ? lines_.size() : std::min(judged_.metric.depth(counts_), lines_.size());
  find_crossings();
  const double weight = judged_.weights[query];
  double value = value_now();
  pending_.clear();
  for (std::size_t c = 0; c < crossings_.size();) {
    checkpoint_of_document(host_, lines_.size());
    const double t = crossings_[c].t;
    changed_ = false;
    for (; c < crossings_.size() && crossings_[c].t == t; ++c) {
      pending_.push_back(crossings_[c]);
      swap_pending();
    }
    if (!changed_) {
      continue;
    }
    const double now = value_now();
    if (now != value) {
      changes.push_back({t, weight * (now - value)});
      value = now;
    }
  }
}

void Sweep::read_lines(View<const int> rows, const double* a, const double* b) {
  lines_.clear();
  for (int row : rows) {
    const std::size_t i = static_cast<std::size_t>(row);
    lines_.push_back({a[i], b[i], judged_.documents.grades[i],
                      tie_of(row, judged_.documents, judged_.metric.rule().ties)});
  }
}

bool Sweep::alike() const {
  return std::all_of(lines_.begin(), lines_.end(), [&](const Line& line) {
    return line.grade == lines_.front().grade;
  });
}

// The lines sorted by score at t. Lines that meet at t have the same order at both ends,
// or they cross at the end itself, in an interval of length 0.
std::vector<std::size_t> Sweep::order_at(double t) const {
  std::vector<std::size_t> order(lines_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> score(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    score[i] = std::isinf(t) ? std::copysign(1.0, t) * lines_[i].b
                             : lines_[i].a + t * lines_[i].b;
  }
  sort_indices(order, [&](std::size_t i, std::size_t j) {
    const Line& first = lines_[i];
    const Line& second = lines_[j];
    if (score[i] != score[j]) return score[i] > score[j];
    if (first.b != second.b) return first.b > second.b;
    if (first.a != second.a) return first.a > second.a;
    return first.tie != second.tie ? first.tie < second.tie : i < j;
  });
  return order;
}

// Insertion sort from the first order to the last order visits every pair that crosses.
template <class Meet>
void Sweep::meet_crossings(std::vector<std::size_t> sorted, const Meet& meet) const {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    checkpoint_of_document(host_, sorted.size());
    const std::size_t line = sorted[i];
    std::size_t j = i;
    for (; j > 0 && rank_[sorted[j - 1]] > rank_[line]; --j) {
      meet(sorted[j - 1], line);
      sorted[j] = sorted[j - 1];
    }
    sorted[j] = line;
  }
}

void Sweep::find_crossings() {
  at_ = order_at(min_);
  set_ranks(order_at(max_));
  leave_out_low_lines();
  crossings_.clear();
  meet_crossings(at_, [&](std::size_t upper, std::size_t lower) {
    crossings_.push_back({crossing_of(lines_[upper], lines_[lower]), upper, lower});
  });
  std::stable_sort(crossings_.begin(), crossings_.end(),
                   [](const Crossing& x, const Crossing& y) { return x.t < y.t; });
  set_ranks(at_);
}

void Sweep::set_ranks(const std::vector<std::size_t>& order) {
  rank_.resize(lines_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank_[order[i]] = i;
  }
}

// A line that is above another at both ends is above it everywhere. If at least `top_`
// lines are above a line, it never reaches the ranks that the metric uses, and so cannot
// affect the metric.
void Sweep::leave_out_low_lines() {
  if (top_ >= lines_.size()) {
    return;
  }
  above_.resize(lines_.size());
  for (std::size_t i = 0; i < at_.size(); ++i) {
    above_[at_[i]] = i;
  }
  meet_crossings(at_, [&](std::size_t, std::size_t lower) { --above_[lower]; });
  at_.erase(std::remove_if(at_.begin(), at_.end(),
                           [&](std::size_t line) { return above_[line] >= top_; }),
            at_.end());
}

// Because of rounding, a listed pair may not cross. It then counts as crossing at the
// end.
double Sweep::crossing_of(const Line& upper, const Line& lower) const {
  const double closing = lower.b - upper.b;
  const double t = closing > 0.0 ? (upper.a - lower.a) / closing : max_;
  return std::min(std::max(t, min_), max_);
}

// Swaps pairs of adjacent lines. If several lines meet, or rounding changed the order of
// crossings, a pair is swapped later, when its lines are adjacent. Among the remaining
// pairs at least one is always adjacent.
void Sweep::swap_pending() {
  for (std::size_t p = 0; p < pending_.size();) {
    const std::size_t upper = pending_[p].upper;
    const std::size_t lower = pending_[p].lower;
    const std::size_t rank = rank_[upper];
    if (rank_[lower] != rank + 1) {
      ++p;
      continue;
    }
    std::swap(at_[rank], at_[rank + 1]);
    std::swap(rank_[upper], rank_[lower]);
    changed_ = changed_ || (rank < top_ && lines_[upper].grade != lines_[lower].grade);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(p));
    p = 0;
  }
}

double Sweep::value_now() {
  grades_.clear();
  for (std::size_t i = 0; i < top_; ++i) {
    grades_.push_back(lines_[at_[i]].grade);
  }
  ends_.clear();
  for (std::size_t i = 1; groups_ && i <= at_.size(); ++i) {
    if (i == at_.size() || lines_[at_[i]].a != lines_[at_[i - 1]].a ||
        lines_[at_[i]].b != lines_[at_[i - 1]].b) {
      ends_.push_back(i);
    }
  }
  const double value = judged_.metric.value({grades_, ends_, counts_}, lines_.size());
  // An undefined value does not depend on the order, so it counts as 0.
  return std::isnan(value) || value == metric::kUndefined ? 0.0 : value;
}

}  // namespace rankmix::linear
