// The implementation of Host for R: threads of RcppParallel, R's interrupts, and a
// progress function in R.
#pragma once
#include <Rcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "core/base/errors.h"
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "host_pool.h"
#include "host_reducer.h"

namespace rankmix {

class RHost : public Host {
 public:
  // `progress` is NULL or an R function of (done, total).
  // `cluster` is NULL, or the communicator of the ranks that train one model together.
  RHost(int threads, const Rcpp::RObject& progress,
        const Rcpp::RObject& cluster = R_NilValue);

  void parallel_for(std::size_t count,
                    const FunctionRef<void(std::size_t)>& task) override;
  std::size_t threads() const override { return threads_; }
  void checkpoint() override;
  void progress(std::size_t done, std::size_t total) override;
  Reducer& reducer() override { return reducer_ == nullptr ? single_rank() : *reducer_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Whether the user asked to stop. Only R's thread polls; other threads read the result.
  bool is_interrupted();

  std::size_t threads_;
  std::unique_ptr<ThreadPool> pool_;  // null for a single thread
  std::thread::id home_;              // R's thread
  Rcpp::RObject progress_;
  std::unique_ptr<Reducer> reducer_;  // null for a single rank
  std::atomic<bool> interrupted_{false};
  Clock::time_point last_poll_;
  Clock::time_point last_progress_;
};

// Runs the body of an exported function. Converts Interrupted to R's interrupt, after the
// objects of the body were destroyed.
template <class Body>
auto guarded(const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  }
}

}  // namespace rankmix
