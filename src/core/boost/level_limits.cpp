#include "core/boost/level_limits.h"

namespace rankmix::boost {

void LevelLimits::limit(std::vector<std::uint8_t>& active) const {
  if (!open_.empty()) {
    active = active_in(groups_, open_, active);
  }
}

double LevelLimits::cost(std::size_t feature) const {
  return purchases_ == nullptr || purchases_->is_free(feature)
             ? 0.0
             : purchases_->cost(feature);
}

void LevelLimits::use(std::size_t feature) {
  if (!groups_.empty()) {
    open_ = groups_below(groups_, open_, static_cast<int>(feature));
  }
  if (purchases_ != nullptr) {
    purchases_->buy(feature);
  }
}

}  // namespace rankmix::boost
