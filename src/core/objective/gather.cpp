#include "core/objective/gather.h"

#include <algorithm>
#include <cmath>

#include "core/base/bits.h"
#include "core/base/errors.h"
#include "core/base/sort.h"

namespace rankmix::objective {
namespace {

// Copies the numbers of some rows; `taken` is empty if `all` is empty.
template <class T>
void take(View<const T> all, const std::vector<int>& rows, std::vector<T>& taken) {
  taken.resize(all.empty() ? 0 : rows.size());
  for (std::size_t k = 0; k < taken.size(); ++k) {
    taken[k] = all[static_cast<std::size_t>(rows[k])];
  }
}

// -1, 0 or 1 if the number of a is less than, equal to, or greater than the number of b.
// 0 if there are no numbers.
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

bool Gatherer::comes_before(const ScoredRow& a, const ScoredRow& b) const {
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

// Sorts by integers that approximate the scores, then sorts documents with equal integers
// by comparison.
void Gatherer::sort_indices() {
  sorted_.resize(scored_rows_.size());
  if (scored_rows_.size() <= kMaxCounted) {
    sort_by_count();
  } else {
    sort_by_keys();
  }
  scored_rows_.swap(sorted_);
}

// For short queries. A key of 32 bits has the scaled score in the upper bits and the
// position in the query in the lower bits, so that all keys differ.
void Gatherer::sort_by_count() {
  const std::size_t n = scored_rows_.size();
  const int last_bits = bits_for(n);
  double low = scored_rows_[0].score;
  double high = low;
  for (const ScoredRow& scored : scored_rows_) {
    low = std::min(low, scored.score);
    high = std::max(high, scored.score);
  }
  const double apart = high - low;
  const double times = std::exp2(30 - last_bits) / apart;
  // Without a usable scale, scores are almost equal or extremely far apart. Then all
  // documents have equal keys and are compared.
  const bool has_scale = std::isfinite(apart) && std::isfinite(times);
  counted_.resize(n + kCountedAtOnce);
  count_.resize(n);
  keys_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double level = has_scale ? (scored_rows_[k].score - low) * times : 0.0;
    counted_[k] =
        (static_cast<std::int32_t>(level) << last_bits) | static_cast<std::int32_t>(k);
  }
  ranks_by_count({counted_.data(), n}, count_.data());
  for (std::size_t k = 0; k < n; ++k) {
    sorted_[count_[k]] = scored_rows_[k];
    keys_[count_[k]] = counted_[k] >> last_bits;
  }
  sort_alike([](std::int64_t key) { return key; });
}

// For long queries. A key has the upper bits of the score itself.
void Gatherer::sort_by_keys() {
  const std::size_t n = scored_rows_.size();
  const std::int64_t last_bits = (std::int64_t{1} << bits_for(n - 1)) - 1;
  keys_.resize(2 * n);
  for (std::size_t k = 0; k < n; ++k) {
    keys_[k] =
        (~order_of(scored_rows_[k].score) & ~last_bits) | static_cast<std::int64_t>(k);
  }
  sort_different({keys_.data(), n}, keys_.data() + n);
  for (std::size_t k = 0; k < n; ++k) {
    sorted_[k] = scored_rows_[static_cast<std::size_t>(keys_[k] & last_bits)];
  }
  sort_alike([last_bits](std::int64_t key) { return key | last_bits; });
}

// Sorts adjacent documents with equal keys by comparison.
template <class Says>
void Gatherer::sort_alike(const Says& says) {
  const std::size_t n = sorted_.size();
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && says(keys_[end]) == says(keys_[begin])) {
      ++end;
    }
    if (end - begin > 1) {
      std::sort(
          sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
          sorted_.begin() + static_cast<std::ptrdiff_t>(end),
          [this](const ScoredRow& a, const ScoredRow& b) { return comes_before(a, b); });
    }
    begin = end;
  }
}

Query Gatherer::gather(std::size_t query, View<const double> scores) {
  const View<const int> rows = documents_.queries.rows_of(query);
  scored_rows_.resize(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto i = static_cast<std::size_t>(rows[k]);
    const double score =
        documents_.offsets.empty() ? scores[i] : scores[i] + documents_.offsets[i];
    if (!std::isfinite(score)) {
      throw InvalidArgument("scores must be finite");
    }
    scored_rows_[k] = {score, rows[k]};
  }
  if (in_score_order_) {
    sort_indices();
  }
  rows_.resize(scored_rows_.size());
  scores_.resize(scored_rows_.size());
  for (std::size_t k = 0; k < scored_rows_.size(); ++k) {
    rows_[k] = scored_rows_[k].row;
    scores_[k] = scored_rows_[k].score;
  }
  take(documents_.grades, rows_, grades_);
  take(documents_.targets, rows_, targets_);
  weights_.assign(rows_.size(), 1.0);
  if (!documents_.weights.empty()) {
    take(documents_.weights, rows_, weights_);
  }
  for (std::vector<double>& buffer : buffers_) {
    buffer.resize(rows_.size());
  }
  return {query, rows_, scores_, grades_, targets_, weights_, nullptr};
}

}  // namespace rankmix::objective
