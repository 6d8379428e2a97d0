// Threads that work on the tasks of a host, and stay near between its calls.
//
// A fit calls its threads thousands of times, for a fraction of a millisecond each. Who
// has done its tasks looks out for the next call a short while before it goes back to
// where it came from, since to be woken takes longer than many calls do. And each thread
// begins with the same share of every call: what tasks write about rows of the data is
// then, as a rule, read by the thread that wrote it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace rankmix {

// The tasks of a call, a share of them for each thread. A thread takes its own in their
// order, and then the last ones of others.
class Job {
 public:
  Job(std::size_t tasks, std::size_t threads,
      const std::function<void(std::size_t)>& task);

  std::size_t threads() const { return shares_.size(); }
  // Works until no task is left to begin. It must not let an exception out of a thread:
  // it keeps the first one, and no more tasks begin.
  void work(std::size_t thread);
  // Throws what a task threw.
  void rethrow() const;

 private:
  // Tasks from `begin` on, before `end`, as one number.
  class alignas(64) Share {
   public:
    void reset(std::size_t begin, std::size_t end);
    bool take_first(std::size_t& task);
    bool take_last(std::size_t& task);

   private:
    template <class Rest>
    bool take(const Rest& rest, std::size_t& task);

    std::atomic<std::uint64_t> range_{0};
  };

  std::vector<Share> shares_;
  const std::function<void(std::size_t)>& task_;
  std::mutex guard_;
  std::exception_ptr failure_;
};

// Where the other threads of a crew come from.
class Others {
 public:
  // Returns when all functions are done.
  virtual ~Others() = default;
  // Has thread number `other` run a function, at some time before the end. What it was
  // given before, if anything, is done or about to return.
  virtual void enlist(std::size_t other, std::function<void()> work) = 0;
};

class Crew {
 public:
  // So many threads, with the one that calls run(); the others are enlisted when they are
  // needed.
  Crew(std::size_t threads, std::unique_ptr<Others> others);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  // Works on the tasks, with the others, until all are done. A task that calls it again
  // does all of that alone.
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task);

 private:
  struct Board;

  void call_others(std::size_t others);

  std::size_t threads_;
  std::unique_ptr<Board> board_;
  std::unique_ptr<Others> others_;  // done before what they look at is gone
};

}  // namespace rankmix
