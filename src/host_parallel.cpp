#include "host_parallel.h"

// The parts of RcppParallel that are used: its matrix accessors, which RcppParallel.h
// brings along, use a class that C++17 deprecates.
#include <RcppParallel/TinyThread.h>
#if defined(__APPLE__) || defined(__gnu_linux__)
#include <RcppParallel/TBB.h>
#define RANKMIX_TBB 1
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "core/base/errors.h"

namespace rankmix {
namespace {

// Polling R costs microseconds; ten times a second is soon enough for a person.
constexpr std::chrono::milliseconds kPollInterval(100);

// Each thread takes the next task when it has done one. They begin in their order, so
// that callers can put the shortest last. A worker must not let an exception out of its
// thread: it keeps the first one, and no more tasks begin.
class TaskWorker : public RcppParallel::Worker {
 public:
  TaskWorker(std::size_t count, const std::function<void(std::size_t)>& task)
      : count_(count), task_(task) {}

  // The range is that of threads.
  void operator()(std::size_t, std::size_t) override {
    try {
      for (std::size_t i = next_++; i < count_; i = next_++) {
        task_(i);
      }
    } catch (...) {
      next_ = count_;
      const std::lock_guard<std::mutex> lock(guard_);
      if (!failure_) {
        failure_ = std::current_exception();
      }
    }
  }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_{0};
  std::mutex guard_;
  std::exception_ptr failure_;
};

void poll_interrupt(void*) { R_CheckUserInterrupt(); }

}  // namespace

#ifdef RANKMIX_TBB
// One arena for the life of a host. RcppParallel's parallelFor() makes and ends one at
// each call, which costs more than the work of a small node of a tree.
struct RHost::Pool {
  // More threads than processors would only make TBB print a warning.
  explicit Pool(int threads)
      : arena(std::min(threads, static_cast<int>(tbb::global_control::active_value(
                                    tbb::global_control::max_allowed_parallelism)))) {}

  void run(std::size_t threads, RcppParallel::Worker& worker) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, threads, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            worker(range.begin(), range.end());
          },
          tbb::simple_partitioner());
    });
  }

  tbb::task_arena arena;
};
#else
struct RHost::Pool {
  explicit Pool(int) {}
  void run(std::size_t threads, RcppParallel::Worker& worker) {
    RcppParallel::ttParallelFor(0, threads, worker, 1);
  }
};
#endif

RHost::RHost(int threads, const Rcpp::RObject& progress)
    : threads_(threads),
      pool_(threads > 1 ? std::make_shared<Pool>(threads) : nullptr),
      progress_(progress),
      last_poll_(Clock::now()),
      last_progress_(Clock::now()) {}

void RHost::parallel_for(std::size_t count,
                         const std::function<void(std::size_t)>& task) {
  if (threads_ <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
    return;
  }
  TaskWorker worker(count, task);
  pool_->run(std::min(count, static_cast<std::size_t>(threads_)), worker);
  worker.rethrow();
}

void RHost::checkpoint() {
  const auto now = Clock::now();
  if (now - last_poll_ < kPollInterval) {
    return;
  }
  last_poll_ = now;
  // R_CheckUserInterrupt() jumps out; caught here, so that C++ unwinds as usual.
  if (R_ToplevelExec(poll_interrupt, nullptr) == FALSE) {
    throw Interrupted();
  }
}

void RHost::progress(std::size_t done, std::size_t total) {
  const auto now = Clock::now();
  if (progress_.isNULL() || (done < total && now - last_progress_ < kPollInterval)) {
    return;
  }
  last_progress_ = now;
  Rcpp::Function report(progress_);
  report(static_cast<double>(done), static_cast<double>(total));
}

}  // namespace rankmix
