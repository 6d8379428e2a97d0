#include "record_host.h"

#include <ctime>

namespace replay {
namespace {

// Seconds of the processor that this thread has taken.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

RecordHost::RecordHost(std::size_t threads) : threads_(threads) {
  // Memory is reserved now, because growing these vectors later would count as time of
  // the core.
  calls_.reserve(std::size_t{1} << 18);
  seconds_.reserve(std::size_t{1} << 24);
}

void RecordHost::parallel_for(std::size_t count,
                              const rankmix::FunctionRef<void(std::size_t)>& task) {
  if (inside_) {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
    return;
  }
  double begin = now();
  // The line tables may assign the address after the call to the next statement.
  void* const place = static_cast<char*>(__builtin_return_address(0)) - 1;
  calls_.push_back({place, phases_.size() - 1, seconds_.size(), count, begin - last_});
  inside_ = true;
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
    const double end = now();
    seconds_.push_back(static_cast<float>(end - begin));
    begin = end;
  }
  inside_ = false;
  last_ = begin;
}

void RecordHost::begin_phase(const std::string& name) {
  if (!phases_.empty()) {
    close_phase();
  }
  phases_.push_back(name);
  last_ = now();
}

void RecordHost::close_phase() {
  calls_.push_back({nullptr, phases_.size() - 1, seconds_.size(), 0, now() - last_});
}

}  // namespace replay
