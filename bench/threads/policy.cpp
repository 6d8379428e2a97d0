#include "policy.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace replay {
namespace {

// The same value as in src/host_pool.cpp.
constexpr double kPatience = 200e-6;

}  // namespace

PoolModel::PoolModel(std::size_t threads, const PoolCost& cost)
    : cost_(cost), near_until_(threads, -1.0) {}

// Sets when each of `used` threads sees the call. A thread that spins also sees calls in
// which it has no task.
void PoolModel::start_threads(std::size_t used) {
  ready_.assign(used, now_);
  for (std::size_t t = 1; t < near_until_.size(); ++t) {
    const bool is_near = near_until_[t] >= now_;
    if (is_near) {
      near_until_[t] = now_ + kPatience;
    }
    if (t < used) {
      if (!is_near) {
        ready_[0] += cost_.enlist;
      }
      const double signal =
          (cost_.by_thread ? static_cast<double>(t) : 1.0) * cost_.warm / 2.0;
      ready_[t] = is_near ? now_ + signal : ready_[0] + cost_.cold;
    }
  }
}

bool PoolModel::take_task(std::size_t thread, std::size_t& task) {
  Range& own = ranges_[thread];
  if (own.begin < own.end) {
    task = own.begin++;
    return true;
  }
  for (std::size_t i = 1; i < ranges_.size(); ++i) {
    Range& other = ranges_[(thread + i) % ranges_.size()];
    if (other.begin < other.end) {
      task = --other.end;
      return true;
    }
  }
  return false;
}

void PoolModel::run_call(const float* seconds, std::size_t count) {
  const std::size_t used = std::min(count, near_until_.size());
  thread_of_.assign(count, 0);
  if (used <= 1) {  // the host runs a single task itself
    for (std::size_t i = 0; i < count; ++i) {
      now_ += static_cast<double>(seconds[i]);
    }
    return;
  }
  start_threads(used);
  ranges_.clear();
  using Event = std::pair<double, std::size_t>;  // time and thread
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
  for (std::size_t t = 0; t < used; ++t) {
    ranges_.push_back({count * t / used, count * (t + 1) / used});
    events.push({ready_[t], t});
  }
  double end = now_;
  while (!events.empty()) {
    const Event event = events.top();
    events.pop();
    std::size_t task = 0;
    if (take_task(event.second, task)) {
      thread_of_[task] = static_cast<std::uint16_t>(event.second);
      end = std::max(end, event.first + static_cast<double>(seconds[task]));
      events.push({event.first + static_cast<double>(seconds[task]), event.second});
    } else {
      near_until_[event.second] = event.first + kPatience;
    }
  }
  now_ = end + (cost_.by_thread ? static_cast<double>(used - 1) : 1.0) * cost_.warm / 2.0;
}

}  // namespace replay
