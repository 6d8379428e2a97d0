#include "core/metric/ranking.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rankmix::metric {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
// Offset that makes grades and positions unsigned.
constexpr std::int64_t kMiddle = std::int64_t{1} << 31;
constexpr double kLargestSingle = static_cast<double>(std::numeric_limits<float>::max());

// A sort key that decreases with the score.
std::uint64_t score_key(double score) {
  const double value = score + 0.0;  // -0 becomes 0
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & kSign) != 0 ? bits : ~(bits | kSign);
}

// A sort key for tied documents: smaller keys rank first.
std::uint32_t tie_key(int row, const Documents& documents, Ties ties) {
  const std::size_t i = static_cast<std::size_t>(row);
  std::int64_t key = 0;
  if (ties == Ties::kBest) {
    key = -static_cast<std::int64_t>(documents.grades[i]);
  } else if (ties == Ties::kWorst) {
    key = documents.grades[i];
  } else if (ties == Ties::kDocument) {
    key = documents.positions[i];
  }
  return static_cast<std::uint32_t>(key + kMiddle);
}

}  // namespace

double to_single(double score) {
  if (std::abs(score) > kLargestSingle) {
    return std::copysign(std::numeric_limits<double>::infinity(), score);
  }
  return static_cast<double>(static_cast<float>(score));
}

void Ranker::rank(View<const int> rows, const double* scores, const Documents& documents,
                  RankRule rule, std::size_t depth) {
  items_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double score = scores[rows[i]];
    if (std::isnan(score)) {
      continue;
    }
    const double compared = rule.single_scores ? to_single(score) : score;
    const std::uint64_t tie = tie_key(rows[i], documents, rule.ties);
    items_.push_back({score_key(compared), tie << 32 | i});
  }
  auto before = [](const Item& a, const Item& b) {
    return a.score < b.score || (a.score == b.score && a.tie < b.tie);
  };
  if (depth < items_.size() && !needs_groups(rule.ties)) {
    const auto top = items_.begin() + static_cast<std::ptrdiff_t>(depth);
    std::partial_sort(items_.begin(), top, items_.end(), before);
  } else {
    depth = items_.size();
    std::sort(items_.begin(), items_.end(), before);
  }
  rows_.resize(depth);
  for (std::size_t i = 0; i < depth; ++i) {
    rows_[i] = rows[items_[i].tie & 0xffffffffu];
  }
  group_ends_.clear();
  if (needs_groups(rule.ties)) {
    find_groups();
  }
}

void Ranker::find_groups() {
  for (std::size_t i = 1; i <= items_.size(); ++i) {
    if (i == items_.size() || items_[i].score != items_[i - 1].score) {
      group_ends_.push_back(i);
    }
  }
}

}  // namespace rankmix::metric
