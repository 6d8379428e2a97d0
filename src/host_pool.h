// A pool of threads that stay active between the calls of a host.
//
// A fit calls its threads thousands of times, for a fraction of a millisecond each. So an
// idle thread spins briefly for the next call before it returns to its source; waking it
// takes longer than many calls. Each thread starts with the same fraction of every call.
// So the thread that wrote results about rows usually also reads them.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/function_ref.h"

namespace rankmix {

// Provides the other threads of a pool.
class ThreadSource {
 public:
  // Waits until all functions have returned.
  virtual ~ThreadSource() = default;
  // Runs `work` on another thread, at some time before the destructor returns. The
  // previous function of thread number `other` must have returned or be about to return.
  virtual void enlist(std::size_t other, std::function<void()> work) = 0;
};

class ThreadPool {
 public:
  // `threads` includes the thread that calls run(). Other threads are enlisted on demand.
  ThreadPool(std::size_t threads, std::unique_ptr<ThreadSource> source);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  // Runs all tasks, together with other threads, and returns when they are done. If a
  // task calls run() again, the nested tasks run serially on its thread. While the calling
  // thread waits for the others, it calls `waiting`, which must not throw.
  void run(
      std::size_t tasks, const FunctionRef<void(std::size_t)>& task,
      const FunctionRef<void()>& waiting = [] {});

 private:
  struct SharedState;

  void call_others(std::size_t others);

  std::size_t threads_;
  std::unique_ptr<SharedState> state_;
  std::unique_ptr<ThreadSource> source_;  // destroyed first: threads use the state
};

}  // namespace rankmix
