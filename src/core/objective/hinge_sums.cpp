#include "core/objective/hinge_sums.h"

#include <algorithm>

namespace rankmix::objective {

void HingeSums::set_query(const Query& query) {
  grades_.assign(query.grades.begin(), query.grades.end());
  std::sort(grades_.begin(), grades_.end());
  grades_.erase(std::unique(grades_.begin(), grades_.end()), grades_.end());
  rank_.resize(query.size());
  of_grade_.assign(grades_.size(), 0.0);
  all_ = 0.0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const auto at = std::lower_bound(grades_.begin(), grades_.end(), query.grades[i]);
    rank_[i] = static_cast<std::size_t>(at - grades_.begin());
    of_grade_[rank_[i]] += query.weights[i];
    all_ += query.weights[i];
  }
}

}  // namespace rankmix::objective
