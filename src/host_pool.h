// A pool of threads for the tasks of a host. They stay active between its calls.
//
// A fit calls its threads thousands of times, for a fraction of a millisecond each. An
// idle thread spins briefly for the next call before it returns to its source, since
// waking it takes longer than many calls. Each thread begins with the same fraction of
// every call. So the thread that wrote results about rows usually also reads them.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/function_ref.h"

namespace rankmix {

// The source of the other threads of a pool.
class ThreadSource {
 public:
  // Returns when all functions are done.
  virtual ~ThreadSource() = default;
  // Has thread number `other` run a function, at some time before the end. What it was
  // given before, if anything, is done or about to return.
  virtual void enlist(std::size_t other, std::function<void()> work) = 0;
};

class ThreadPool {
 public:
  // `threads` counts the one that calls run(). The others are enlisted when they are
  // needed.
  ThreadPool(std::size_t threads, std::unique_ptr<ThreadSource> source);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  // Works on the tasks, with the others, until all are done. A task that calls run()
  // again executes the nested tasks serially.
  void run(std::size_t tasks, const FunctionRef<void(std::size_t)>& task);

 private:
  struct SharedState;

  void call_others(std::size_t others);

  std::size_t threads_;
  std::unique_ptr<SharedState> state_;
  std::unique_ptr<ThreadSource> source_;  // done before what they look at is gone
};

}  // namespace rankmix
