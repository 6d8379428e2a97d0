// The pool of src/host_pool.cpp with plain threads, and the measured costs of its
// calls.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "host_pool.h"
#include "policy.h"

namespace replay {

class PoolHost : public rankmix::Host {
 public:
  explicit PoolHost(std::size_t threads);
  std::size_t threads() const override { return threads_; }
  void parallel_for(std::size_t count,
                    const rankmix::FunctionRef<void(std::size_t)>& task) override;
  void checkpoint() override {}
  void progress(std::size_t, std::size_t) override {}

 private:
  std::size_t threads_;
  rankmix::ThreadPool pool_;
};

// Measured with two threads: calls of two tasks that wait for each other.
PoolCost measure_cost();

}  // namespace replay
