// A host with plain threads, for tests of the core without R.
#pragma once
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/errors.h"
#include "core/base/function_ref.h"
#include "core/base/host.h"

class ThreadHost : public rankmix::Host {
 public:
  explicit ThreadHost(unsigned threads)
      : threads_(threads), home_(std::this_thread::get_id()) {}

  void parallel_for(std::size_t count,
                    const rankmix::FunctionRef<void(std::size_t)>& task) override {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          task(i);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(guard);
          if (!failure) {
            failure = std::current_exception();
          }
        }
      }
    };
    std::vector<std::thread> pool;
    for (unsigned t = 1; t < threads_; ++t) {
      pool.emplace_back(work);
    }
    work();
    for (std::thread& thread : pool) {
      thread.join();
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
  }

  std::size_t threads() const override { return threads_; }
  void checkpoint() override {
    if (std::this_thread::get_id() != home_) {
      return;
    }
    if (checkpoints_left_ == 0) {
      throw rankmix::Interrupted();
    }
    --checkpoints_left_;
  }
  void progress(std::size_t done, std::size_t) override { progressed_ = done; }

  void interrupt_after(std::size_t checkpoints) { checkpoints_left_ = checkpoints; }
  std::size_t progressed() const { return progressed_; }

 private:
  unsigned threads_;
  std::thread::id home_;
  std::size_t checkpoints_left_ = static_cast<std::size_t>(-1);
  std::size_t progressed_ = 0;
};
