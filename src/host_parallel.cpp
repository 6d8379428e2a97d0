#include "host_parallel.h"

#if defined(__APPLE__) || defined(__gnu_linux__)
// Includes only this part of RcppParallel. RcppParallel.h also includes matrix accessors,
// which use a class that C++17 deprecates.
#include <RcppParallel/TBB.h>
#define RANKMIX_TBB 1
#else
#include <thread>
#include <vector>
#endif

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/errors.h"
#include "core/base/function_ref.h"

namespace rankmix {
namespace {

// Polling R costs microseconds. Ten polls a second are responsive enough for users.
constexpr std::chrono::milliseconds kPollInterval(100);

void poll_interrupt(void*) { R_CheckUserInterrupt(); }

#ifdef RANKMIX_TBB
// Threads of TBB. RcppParallel limits their number to the user's setting.
class OtherThreads : public ThreadSource {
 public:
  // With more threads than processors, TBB would print a warning.
  explicit OtherThreads(int threads)
      : arena_(std::min(threads, static_cast<int>(tbb::global_control::active_value(
                                     tbb::global_control::max_allowed_parallelism)))) {}
  OtherThreads(const OtherThreads&) = delete;
  OtherThreads& operator=(const OtherThreads&) = delete;
  // The destructor waits; this thread runs tasks that no other thread has started.
  ~OtherThreads() noexcept override {
    // The first use of an arena allocates memory, which may fail. So it is skipped if
    // unused.
    if (enlisted_) {
      arena_.execute([&] { group_.wait(); });
    }
  }
  void enlist(std::size_t, std::function<void()> work) override {
    arena_.execute([&] {
      group_.run(std::move(work));
      enlisted_ = true;
    });
  }

 private:
  tbb::task_arena arena_;
  tbb::task_group group_;
  bool enlisted_ = false;
};
#else
class OtherThreads : public ThreadSource {
 public:
  explicit OtherThreads(int threads) : threads_(static_cast<std::size_t>(threads)) {}
  OtherThreads(const OtherThreads&) = delete;
  OtherThreads& operator=(const OtherThreads&) = delete;
  ~OtherThreads() override {
    for (std::thread& thread : threads_) {
      join(thread);
    }
  }
  void enlist(std::size_t other, std::function<void()> work) override {
    join(threads_[other]);
    threads_[other] = std::thread(std::move(work));
  }

 private:
  static void join(std::thread& thread) {
    if (thread.joinable()) {
      thread.join();
    }
  }

  std::vector<std::thread> threads_;
};
#endif

}  // namespace

RHost::RHost(int threads, const Rcpp::RObject& progress, const Rcpp::RObject& cluster)
    : threads_(static_cast<std::size_t>(std::max(threads, 1))),
      pool_(threads > 1
                ? std::make_unique<ThreadPool>(static_cast<std::size_t>(threads),
                                               std::make_unique<OtherThreads>(threads))
                : nullptr),
      home_(std::this_thread::get_id()),
      progress_(progress),
      reducer_(reducer_of(cluster)),
      last_poll_(Clock::now()),
      last_progress_(Clock::now()) {}

void RHost::parallel_for(std::size_t count, const FunctionRef<void(std::size_t)>& task) {
  // A call may take long. So interrupts are also polled between tasks, and while R's
  // thread waits for the others.
  const auto polled = [&](std::size_t i) {
    task(i);
    checkpoint();
  };
  if (pool_ != nullptr && count > 1) {
    pool_->run(count, polled, [&] { is_interrupted(); });
    // An interrupt that was polled while waiting would be lost if no checkpoint follows.
    checkpoint();
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    polled(i);
  }
}

void RHost::checkpoint() {
  if (is_interrupted()) {
    throw Interrupted();
  }
}

bool RHost::is_interrupted() {
  if (interrupted_ || std::this_thread::get_id() != home_) {
    return interrupted_;
  }
  const auto now = Clock::now();
  if (now - last_poll_ >= kPollInterval) {
    last_poll_ = now;
    // R_CheckUserInterrupt() uses a long jump. It is caught here, and an exception unwinds
    // C++.
    interrupted_ = R_ToplevelExec(poll_interrupt, nullptr) == FALSE;
  }
  return interrupted_;
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
