// Threads of the host: every task once, whoever comes, and whatever a task throws.
#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"
#include "host_crew.h"

using rankmix::Crew;

namespace {

using Clock = std::chrono::steady_clock;

// Threads that begin when they are enlisted, and are waited for in the end.
class Threads {
 public:
  ~Threads() {
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }
  rankmix::Enlist enlist() {
    return [this](std::function<void()> work) { threads_.emplace_back(std::move(work)); };
  }
  std::size_t size() const { return threads_.size(); }

 private:
  std::vector<std::thread> threads_;
};

// Tasks that did not run just once.
std::size_t count_wrong(Crew& crew, std::size_t tasks) {
  std::vector<int> runs(tasks, 0);  // of a task each: no two threads write the same one
  crew.run(tasks, [&](std::size_t i) { ++runs[i]; });
  std::size_t wrong = 0;
  for (int count : runs) {
    wrong += count == 1 ? 0 : 1;
  }
  return wrong;
}

// Whether it became true within 20 seconds.
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

TEST("a crew runs every task once") {
  for (std::size_t size : {2, 3, 5}) {
    Threads threads;
    Crew crew(size, threads.enlist());
    std::size_t wrong = 0;
    for (std::size_t call = 0; call < 300; ++call) {
      wrong += count_wrong(crew, call % 7 == 0 ? 1000 : call % 11 + 1);
      if (call % 100 == 99) {  // longer than others stay near
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    CHECK(wrong == 0);
    CHECK(threads.size() >= size - 1);
  }
}

TEST("a crew works without those who do not come") {
  Crew alone(4, [](const std::function<void()>&) {});
  CHECK(count_wrong(alone, 100) == 0);
  Crew refused(4, [](const std::function<void()>&) { throw std::bad_alloc(); });
  CHECK(count_wrong(refused, 100) == 0);
  CHECK(count_wrong(refused, 1) == 0);
}

TEST("each thread of a crew begins with the same share of every call") {
  Threads threads;
  Crew crew(2, threads.enlist());
  std::atomic<int> wrong{0};
  for (int call = 0; call < 50; ++call) {
    std::vector<std::atomic<bool>> began(2);
    std::vector<std::thread::id> ran(2);
    crew.run(2, [&](std::size_t i) {
      began[i] = true;
      ran[i] = std::this_thread::get_id();
      wrong += comes_true([&] { return began[1 - i].load(); }) ? 0 : 1;
    });
    wrong += ran[0] == std::this_thread::get_id() && ran[1] != ran[0] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST("a crew keeps what a task threw, begins no more, and goes on afterwards") {
  Threads threads;
  Crew crew(2, threads.enlist());
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
    CHECK_THROWS(crew.run(100, task), std::runtime_error);
    CHECK(ran == 2);
    CHECK(count_wrong(crew, 100) == 0);
  }
}

TEST("a task may call its crew") {
  Threads threads;
  Crew crew(2, threads.enlist());
  std::atomic<int> began{0};
  std::vector<std::size_t> sums(2, 0);
  crew.run(2, [&](std::size_t i) {
    ++began;
    comes_true([&] { return began == 2; });  // one on each thread
    crew.run(10, [&](std::size_t j) { sums[i] += j; });
  });
  CHECK(sums == std::vector<std::size_t>(2, 45));
}
