// Threads that work on the tasks of a host, and stay near between its calls.
//
// A fit calls its threads thousands of times, for a fraction of a millisecond each. Who
// has done its tasks looks out for the next call a short while before it goes back to
// where it came from, since to be woken takes longer than many calls do. And each thread
// begins with the same share of every call: what tasks write about rows of the data is
// then, as a rule, read by the thread that wrote it.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/function_ref.h"

namespace rankmix {

// Where the other threads of a crew come from.
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
  // So many threads, with the one that calls run(); the others are enlisted when they are
  // needed.
  ThreadPool(std::size_t threads, std::unique_ptr<ThreadSource> source);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  // Works on the tasks, with the others, until all are done. A task that calls it again
  // does all of that alone.
  void run(std::size_t tasks, const FunctionRef<void(std::size_t)>& task);

 private:
  struct SharedState;

  void call_others(std::size_t others);

  std::size_t threads_;
  std::unique_ptr<SharedState> state_;
  std::unique_ptr<ThreadSource> source_;  // done before what they look at is gone
};

}  // namespace rankmix
