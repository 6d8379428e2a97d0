// A host that runs tasks one after the other, and records the processor time of each. So
// other work on the machine hardly changes the records.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/host.h"

namespace replay {

// A call of parallel_for(), or the end of a phase, which has no tasks.
struct Call {
  void* place;        // an address inside the call; null at the end of a phase
  std::size_t phase;  // index of the phase
  std::size_t first;  // index of the seconds of its first task
  std::size_t count;  // number of tasks
  double before;      // seconds between the previous call and this one
};

class RecordHost : public rankmix::Host {
 public:
  // Work is split into tasks as for this number of threads.
  explicit RecordHost(std::size_t threads);
  std::size_t threads() const override { return threads_; }
  // Not inlined: the return address names the place of the call.
  __attribute__((noinline)) void parallel_for(
      std::size_t count, const rankmix::FunctionRef<void(std::size_t)>& task) override;
  void checkpoint() override {}
  void progress(std::size_t, std::size_t) override {}

  void begin_phase(const std::string& name);
  // Ends the last phase.
  void end() { close_phase(); }

  const std::vector<std::string>& phases() const { return phases_; }
  const std::vector<Call>& calls() const { return calls_; }
  const float* seconds_of(const Call& call) const { return seconds_.data() + call.first; }

 private:
  void close_phase();

  std::size_t threads_;

  std::vector<std::string> phases_;
  std::vector<Call> calls_;
  std::vector<float> seconds_;
  double last_ = 0.0;    // end of the last call, or begin of the phase
  bool inside_ = false;  // a task is running: nested calls belong to it
};

}  // namespace replay
