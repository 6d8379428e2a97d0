#include "host_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/function_ref.h"

namespace rankmix {
namespace {

constexpr int kRangeBits = 32;

std::uint64_t pack(std::uint64_t begin, std::uint64_t end) {
  return begin << kRangeBits | end;
}
std::uint64_t begin_of(std::uint64_t range) { return range >> kRangeBits; }
std::uint64_t end_of(std::uint64_t range) {
  return range & ((std::uint64_t{1} << kRangeBits) - 1);
}

// Hints to the processor that this thread spins.
void pause() {
#if defined(__GNUC__) && defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// The tasks of a call, divided into one range for each thread. A thread first runs its
// own range in order. Then it takes tasks from the ends of other ranges.
class Job {
 public:
  Job(std::size_t tasks, std::size_t threads, const FunctionRef<void(std::size_t)>& task);

  std::size_t threads() const { return ranges_.size(); }
  // Runs tasks until none is left to start. Exceptions do not leave a thread: the first
  // one is stored, and no more tasks start.
  void work(std::size_t thread);
  // Rethrows the stored exception, if there is one.
  void rethrow() const;

 private:
  // The tasks from `begin` to before `end`, packed in one 64-bit number. Each is below
  // 2^32.
  class alignas(kCacheLine) TaskRange {
   public:
    void reset(std::size_t begin, std::size_t end);
    bool take_first(std::size_t& task);
    bool take_last(std::size_t& task);

   private:
    template <class Rest>
    bool take(const Rest& rest, std::size_t& task);

    std::atomic<std::uint64_t> range_{0};
  };

  std::vector<TaskRange> ranges_;
  const FunctionRef<void(std::size_t)>& task_;
  std::mutex guard_;
  std::exception_ptr failure_;
};

void Job::TaskRange::reset(std::size_t begin, std::size_t end) {
  range_ = pack(begin, end);
}

template <class Rest>
bool Job::TaskRange::take(const Rest& rest, std::size_t& task) {
  std::uint64_t range = range_;
  while (begin_of(range) < end_of(range)) {
    if (range_.compare_exchange_weak(range, rest(range, task))) {
      return true;
    }
  }
  return false;
}

bool Job::TaskRange::take_first(std::size_t& task) {
  return take(
      [](std::uint64_t range, std::size_t& taken) {
        taken = begin_of(range);
        return pack(begin_of(range) + 1, end_of(range));
      },
      task);
}

bool Job::TaskRange::take_last(std::size_t& task) {
  return take(
      [](std::uint64_t range, std::size_t& taken) {
        taken = end_of(range) - 1;
        return pack(begin_of(range), end_of(range) - 1);
      },
      task);
}

Job::Job(std::size_t tasks, std::size_t threads,
         const FunctionRef<void(std::size_t)>& task)
    : ranges_(threads), task_(task) {
  for (std::size_t t = 0; t < threads; ++t) {
    ranges_[t].reset(tasks * t / threads, tasks * (t + 1) / threads);
  }
}

void Job::work(std::size_t thread) {
  try {
    std::size_t task = 0;
    while (ranges_[thread].take_first(task)) {
      task_(task);
    }
    for (std::size_t i = 1; i < threads(); ++i) {
      while (ranges_[(thread + i) % threads()].take_last(task)) {
        task_(task);
      }
    }
  } catch (...) {
    for (TaskRange& range : ranges_) {
      range.reset(0, 0);
    }
    const std::lock_guard<std::mutex> lock(guard_);
    if (!failure_) {
      failure_ = std::current_exception();
    }
  }
}

void Job::rethrow() const {
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

}  // namespace

// The state that the threads of a pool share.
struct ThreadPool::SharedState {
  explicit SharedState(std::size_t others) : is_near(others) {}

  // The loop of another thread. It works on each job that is posted, and ends if no job
  // comes for a while.
  void stay(std::size_t other) {
    std::uint64_t seen = 0;
    do {
      while (wait_beyond(seen)) {
        ++inside;
        seen = posted;
        Job* const found = job;
        if (found != nullptr && other + 1 < found->threads()) {
          found->work(other + 1);
        }
        --inside;
      }
      is_near[other] = false;
      // A job that was just posted may not have found this thread, unless the thread was
      // enlisted again.
    } while (posted != seen && !is_near[other].exchange(true));
  }

  // Waits briefly for a job other than `seen`. Returns false if none is posted.
  bool wait_beyond(std::uint64_t seen) const {
    using Clock = std::chrono::steady_clock;
    // Longer than the usual serial work between two calls.
    constexpr std::chrono::microseconds patience(200);
    constexpr int pauses = 64;  // between two readings of the clock
    const Clock::time_point begin = Clock::now();
    do {
      for (int i = 0; i < pauses; ++i) {
        if (posted != seen) {
          return true;
        }
        if (over) {
          return false;
        }
        pause();
      }
    } while (Clock::now() - begin < patience);
    return false;
  }

  // Waits until no other thread works on the job. Yields, because the other thread may
  // share a processor with this thread.
  void wait_for_all(const FunctionRef<void()>& waiting) const {
    constexpr int pauses = 4096;
    for (int i = 0; inside > 0; i = std::min(i + 1, pauses)) {
      if (i < pauses) {
        pause();
      } else {
        std::this_thread::yield();
        waiting();
      }
    }
  }

  std::atomic<bool> in_use{false};
  std::atomic<bool> over{false};  // no more jobs will be posted
  std::atomic<Job*> job{nullptr};
  std::atomic<std::uint64_t> posted{0};  // number of jobs posted so far
  std::atomic<int> inside{0};            // other threads that may work on the job
  std::vector<std::atomic<bool>> is_near;
};

ThreadPool::ThreadPool(std::size_t threads, std::unique_ptr<ThreadSource> source)
    : threads_(threads),
      state_(std::make_unique<SharedState>(threads - 1)),
      source_(std::move(source)) {}

ThreadPool::~ThreadPool() { state_->over = true; }

// Enlists threads that are not active. If a thread cannot be enlisted, the others do its
// tasks.
void ThreadPool::call_others(std::size_t others) {
  for (std::size_t other = 0; other < others; ++other) {
    if (state_->is_near[other].exchange(true)) {
      continue;
    }
    try {
      source_->enlist(other, [state = state_.get(), other] { state->stay(other); });
    } catch (...) {
      state_->is_near[other] = false;
    }
  }
}

void ThreadPool::run(std::size_t tasks, const FunctionRef<void(std::size_t)>& task,
                     const FunctionRef<void()>& waiting) {
  Job job(tasks, std::min(tasks, threads_), task);
  if (state_->in_use.exchange(true)) {
    job.work(0);
    job.rethrow();
    return;
  }
  state_->job = &job;
  ++state_->posted;
  call_others(job.threads() - 1);
  job.work(0);
  state_->job = nullptr;
  state_->wait_for_all(waiting);
  state_->in_use = false;
  job.rethrow();
}

}  // namespace rankmix
