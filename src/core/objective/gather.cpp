#include "core/objective/gather.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"

namespace rankmix::objective {
namespace {

// The numbers of some rows, where there are any.
template <class T>
void take(View<const T> all, const std::vector<int>& rows, std::vector<T>& taken) {
  taken.resize(all.empty() ? 0 : rows.size());
  for (std::size_t k = 0; k < taken.size(); ++k) {
    taken[k] = all[static_cast<std::size_t>(rows[k])];
  }
}

// Negative, zero or positive as a is less than b, equal, or more; equal where there is
// nothing to compare.
template <class T>
int compare(View<const T> numbers, int a, int b) {
  if (numbers.empty()) {
    return 0;
  }
  const T left = numbers[static_cast<std::size_t>(a)];
  const T right = numbers[static_cast<std::size_t>(b)];
  return (left > right ? 1 : 0) - (left < right ? 1 : 0);
}

}  // namespace

bool Gatherer::comes_before(const Place& a, const Place& b) const {
  if (a.score != b.score) {
    return a.score > b.score;
  }
  for (int difference : {compare(documents_.grades, a.row, b.row),
                         compare(documents_.targets, a.row, b.row),
                         compare(documents_.weights, a.row, b.row)}) {
    if (difference != 0) {
      return difference < 0;
    }
  }
  return a.row < b.row;
}

Query Gatherer::gather(std::size_t query, View<const double> scores) {
  places_.clear();
  for (int row : documents_.queries.rows_of(query)) {
    const auto i = static_cast<std::size_t>(row);
    const double score =
        documents_.offsets.empty() ? scores[i] : scores[i] + documents_.offsets[i];
    if (!std::isfinite(score)) {
      throw InvalidArgument("scores must be finite");
    }
    places_.push_back({score, row});
  }
  if (in_score_order_) {
    std::sort(places_.begin(), places_.end(),
              [this](const Place& a, const Place& b) { return comes_before(a, b); });
  }
  rows_.resize(places_.size());
  scores_.resize(places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    rows_[k] = places_[k].row;
    scores_[k] = places_[k].score;
  }
  take(documents_.grades, rows_, grades_);
  take(documents_.targets, rows_, targets_);
  weights_.assign(rows_.size(), 1.0);
  if (!documents_.weights.empty()) {
    take(documents_.weights, rows_, weights_);
  }
  for (std::vector<double>& room : rooms_) {
    room.resize(rows_.size());
  }
  return {query, rows_, scores_, grades_, targets_, weights_};
}

}  // namespace rankmix::objective
