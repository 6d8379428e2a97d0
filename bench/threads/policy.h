// The time that recorded calls would take in the thread pool of src/host_pool.cpp, for any
// number of threads.
//
// Given:     the seconds of each task of a call, in the order of calls.
// Result:    the time when the last task ends, and the thread of each task.
// Algorithm: simulation of events. Each thread has a range of tasks as Job has, runs it in
//            order, and then takes tasks from the ends of other ranges. A thread that
//            spins sees a call after `warm` seconds. A thread that has spun for longer
//            than the pool's patience was released. The calling thread needs `enlist`
//            seconds to start each such thread again. The thread then runs `cold`
//            seconds later.
// Limits:    each task is assumed to take as long as on one thread. In fact tasks are
//            slower because threads share the memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace replay {

struct PoolCost {
  double warm = 0.0;
  double cold = 0.0;
  double enlist = 0.0;
  // Whether each other thread adds `warm` to a call, because threads write one counter
  // in turn. Otherwise all see a call at once.
  bool by_thread = false;
};

class PoolModel {
 public:
  PoolModel(std::size_t threads, const PoolCost& cost);
  // The calling thread works for `seconds` between calls.
  void run_serial(double seconds) { now_ += seconds; }
  // A call of `count` tasks. The thread of each is in threads_of_tasks().
  void run_call(const float* seconds, std::size_t count);
  double now() const { return now_; }
  const std::vector<std::uint16_t>& threads_of_tasks() const { return thread_of_; }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  void start_threads(std::size_t used);
  bool take_task(std::size_t thread, std::size_t& task);

  PoolCost cost_;
  double now_ = 0.0;
  std::vector<double> near_until_;  // of each other thread
  std::vector<double> ready_;       // when each thread of the call starts
  std::vector<Range> ranges_;
  std::vector<std::uint16_t> thread_of_;
};

}  // namespace replay
