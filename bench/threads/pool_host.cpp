#include "pool_host.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace replay {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class PlainThreads : public rankmix::ThreadSource {
 public:
  PlainThreads(std::size_t others, double* enlisting)
      : threads_(others), enlisting_(enlisting) {}
  ~PlainThreads() override {
    for (std::thread& thread : threads_) {
      join(thread);
    }
  }
  void enlist(std::size_t other, std::function<void()> work) override {
    const Clock::time_point begin = Clock::now();
    join(threads_[other]);
    threads_[other] = std::thread(std::move(work));
    if (enlisting_ != nullptr) {
      *enlisting_ = since(begin);
    }
  }

 private:
  static void join(std::thread& thread) {
    if (thread.joinable()) {
      thread.join();
    }
  }

  std::vector<std::thread> threads_;
  double* enlisting_;  // seconds of the last call of enlist()
};

// Seconds of a call of two tasks, each of which waits until the other has begun.
double meet(rankmix::ThreadPool& pool) {
  std::atomic<int> arrived{0};
  auto task = [&](std::size_t) {
    ++arrived;
    while (arrived < 2) {
    }
  };
  const Clock::time_point begin = Clock::now();
  pool.run(2, task);
  return since(begin);
}

// The lower quartile: other work on the machine only adds time.
double usual(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

PoolHost::PoolHost(std::size_t threads)
    : threads_(threads),
      pool_(threads, std::make_unique<PlainThreads>(threads - 1, nullptr)) {}

void PoolHost::parallel_for(std::size_t count,
                            const rankmix::FunctionRef<void(std::size_t)>& task) {
  if (threads_ > 1 && count > 1) {
    pool_.run(count, task);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
}

PoolCost measure_cost() {
  double enlisting = 0.0;
  rankmix::ThreadPool pool(2, std::make_unique<PlainThreads>(1, &enlisting));
  meet(pool);
  std::vector<double> warm;
  for (int i = 0; i < 20000; ++i) {
    warm.push_back(meet(pool));
  }
  std::vector<double> enlist;
  std::vector<double> cold;
  for (int i = 0; i < 200; ++i) {
    const Clock::time_point begin = Clock::now();
    while (since(begin) < 1e-3) {  // longer than a thread waits for a call
    }
    const double all = meet(pool);
    enlist.push_back(enlisting);
    cold.push_back(std::max(0.0, all - enlisting));
  }
  PoolCost cost;
  cost.warm = usual(warm);
  cost.cold = usual(cold);
  cost.enlist = usual(enlist);
  return cost;
}

}  // namespace replay
