#include "host_parallel.h"

// The parts of RcppParallel that are used: its matrix accessors, which RcppParallel.h
// brings along, use a class that C++17 deprecates.
#include <RcppParallel/TinyThread.h>
#if defined(__APPLE__) || defined(__gnu_linux__)
#include <RcppParallel/TBB.h>
#define RANKMIX_TBB 1
#else
#include <thread>
#endif

#include <algorithm>
#include <utility>

#include "core/base/errors.h"

namespace rankmix {
namespace {

// Polling R costs microseconds; ten times a second is soon enough for a person.
constexpr std::chrono::milliseconds kPollInterval(100);

void poll_interrupt(void*) { R_CheckUserInterrupt(); }

// Other threads are those of TBB, which RcppParallel limits to what the user set.
Enlist other_threads(int threads) {
#ifdef RANKMIX_TBB
  // More threads than processors would only make TBB print a warning.
  const auto most = static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  const auto arena = std::make_shared<tbb::task_arena>(std::min(threads, most));
  return [arena](std::function<void()> work) { arena->enqueue(std::move(work)); };
#else
  (void)threads;
  return [](std::function<void()> work) { std::thread(std::move(work)).detach(); };
#endif
}

}  // namespace

RHost::RHost(int threads, const Rcpp::RObject& progress)
    : crew_(threads > 1 ? std::make_unique<Crew>(static_cast<std::size_t>(threads),
                                                 other_threads(threads))
                        : nullptr),
      progress_(progress),
      last_poll_(Clock::now()),
      last_progress_(Clock::now()) {}

void RHost::parallel_for(std::size_t count,
                         const std::function<void(std::size_t)>& task) {
  if (crew_ != nullptr && count > 1) {
    crew_->run(count, task);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
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
