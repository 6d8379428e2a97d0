// The thread pool of the host runs every task once, for any number of available
// threads, and after exceptions.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "host_pool.h"

using rankmix::ThreadPool;

namespace {

using Clock = std::chrono::steady_clock;

// Threads that start when they are enlisted. The destructor waits for them.
class Threads : public rankmix::ThreadSource {
 public:
  explicit Threads(std::size_t& enlisted) : enlisted_(enlisted) {}
  ~Threads() override {
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }
  void enlist(std::size_t, std::function<void()> work) override {
    threads_.emplace_back(std::move(work));
    ++enlisted_;
  }

 private:
  std::size_t& enlisted_;
  std::vector<std::thread> threads_;
};

// A source that starts no thread. Its destructor runs all work.
class NotYet : public rankmix::ThreadSource {
 public:
  ~NotYet() override {
    for (const std::function<void()>& work : waiting_) {
      work();
    }
  }
  void enlist(std::size_t, std::function<void()> work) override {
    waiting_.push_back(std::move(work));
  }

 private:
  std::vector<std::function<void()>> waiting_;
};

class Nobody : public rankmix::ThreadSource {
 public:
  void enlist(std::size_t, std::function<void()>) override { throw std::bad_alloc(); }
};

// The number of tasks that did not run exactly once.
std::size_t count_wrong(ThreadPool& pool, std::size_t tasks) {
  std::vector<int> runs(tasks, 0);  // one element for each task
  pool.run(tasks, [&](std::size_t i) { ++runs[i]; });
  std::size_t wrong = 0;
  for (int count : runs) {
    wrong += count == 1 ? 0 : 1;
  }
  return wrong;
}

// Whether the condition becomes true within 20 seconds.
template <class Condition>
bool comes_true(const Condition& condition) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (Clock::now() > end) {
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

TEST_CASE("a thread pool runs every task once") {
  for (std::size_t size : {2, 3, 5}) {
    std::size_t enlisted = 0;
    ThreadPool pool(size, std::make_unique<Threads>(enlisted));
    std::size_t wrong = 0;
    for (std::size_t call = 0; call < 300; ++call) {
      wrong += count_wrong(pool, call % 7 == 0 ? 1000 : call % 11 + 1);
      if (call % 100 == 99) {  // longer than idle threads spin
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    CHECK(wrong == 0);
    CHECK(enlisted >= size - 1);
  }
}

TEST_CASE("a thread pool works without the other threads") {
  ThreadPool serial(4, std::make_unique<NotYet>());
  CHECK(count_wrong(serial, 100) == 0);
  ThreadPool refused(4, std::make_unique<Nobody>());
  CHECK(count_wrong(refused, 100) == 0);
  CHECK(count_wrong(refused, 1) == 0);
}

TEST_CASE("each thread of a pool begins with the same fraction of every call") {
  std::size_t enlisted = 0;
  ThreadPool pool(2, std::make_unique<Threads>(enlisted));
  std::atomic<int> wrong{0};
  for (int call = 0; call < 50; ++call) {
    std::vector<std::atomic<bool>> began(2);
    std::vector<std::thread::id> ran(2);
    pool.run(2, [&](std::size_t i) {
      began[i] = true;
      ran[i] = std::this_thread::get_id();
      wrong += comes_true([&] { return began[1 - i].load(); }) ? 0 : 1;
    });
    wrong += ran[0] == std::this_thread::get_id() && ran[1] != ran[0] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE(
    "a thread pool rethrows the exception of a task, starts no more, and works "
    "afterwards") {
  std::size_t enlisted = 0;
  ThreadPool pool(2, std::make_unique<Threads>(enlisted));
  for (std::size_t thrower : {0, 50}) {
    std::atomic<int> ran{0};
    std::atomic<bool> over{false};
    auto task = [&](std::size_t i) {
      ++ran;
      comes_true([&] { return ran >= 2; });
      if (i == thrower) {
        over = true;
        throw std::runtime_error("of a task");
      }
      comes_true([&] { return over.load(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    CHECK_THROWS_AS(pool.run(100, task), std::runtime_error);
    CHECK(ran == 2);
    CHECK(count_wrong(pool, 100) == 0);
  }
}

TEST_CASE("a task may call its thread pool") {
  std::size_t enlisted = 0;
  ThreadPool pool(2, std::make_unique<Threads>(enlisted));
  std::atomic<int> began{0};
  std::vector<std::size_t> sums(2, 0);
  pool.run(2, [&](std::size_t i) {
    ++began;
    comes_true([&] { return began == 2; });  // one on each thread
    pool.run(10, [&](std::size_t j) { sums[i] += j; });
  });
  CHECK(sums == std::vector<std::size_t>(2, 45));
}

// So the caller can notice an interrupt while a long task runs on another thread.
TEST_CASE("the caller of a thread pool is active while it waits for the others") {
  std::size_t enlisted = 0;
  ThreadPool pool(2, std::make_unique<Threads>(enlisted));
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> began{false};
  std::atomic<bool> waited{false};
  bool ended = false;
  pool.run(
      2,
      [&](std::size_t) {
        if (std::this_thread::get_id() == caller) {
          comes_true([&] { return began.load(); });
          return;
        }
        began = true;
        ended = comes_true([&] { return waited.load(); });
      },
      [&] { waited = true; });
  CHECK(ended);
}
