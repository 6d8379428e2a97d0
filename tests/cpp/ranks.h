// Several ranks in one process, for tests: each rank is a thread with its own host.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/reducer.h"
#include "thread_host.h"

// The state that the ranks share. Reductions of different kinds or lengths are an error
// on all ranks.
class Ranks {
 public:
  explicit Ranks(std::size_t size) : size_(size), first_failure_(size), bytes_(size) {}
  std::size_t size() const { return size_; }
  std::size_t numbers() const { return numbers_; }  // numbers that were reduced so far

  enum class Kind { kNone, kAdd, kMax, kGather };

  void reduce(Kind kind, rankmix::View<double> numbers) {
    meet([&] {
      if (arrived_ == 0) {
        kind_ = kind;
        all_.assign(numbers.begin(), numbers.end());
        numbers_ += numbers.size();
        return;
      }
      if (kind != kind_ || numbers.size() != all_.size()) {
        broken_ = true;
        return;
      }
      for (std::size_t i = 0; i < all_.size(); ++i) {
        all_[i] =
            kind == Kind::kAdd ? all_[i] + numbers[i] : std::max(all_[i], numbers[i]);
      }
    });
    std::copy(all_.begin(), all_.end(), numbers.begin());
    leave();
  }

  std::vector<std::vector<std::uint8_t>> gather(std::size_t rank,
                                                rankmix::View<const std::uint8_t> bytes) {
    meet([&] {
      if (arrived_ == 0) {
        kind_ = Kind::kGather;
      }
      broken_ = broken_ || kind_ != Kind::kGather;
      bytes_[rank].assign(bytes.begin(), bytes.end());
    });
    auto parts = bytes_;
    leave();
    return parts;
  }

  // After the failure of one rank, the others fail, too.
  void fail(std::size_t rank) {
    const std::lock_guard<std::mutex> lock(guard_);
    first_failure_ = first_failure_ == size_ ? rank : first_failure_;
    broken_ = true;
    changed_.notify_all();
  }
  std::size_t first_failure() const { return first_failure_; }  // size(): none

 private:
  template <class Add>
  void meet(const Add& add) {
    std::unique_lock<std::mutex> lock(guard_);
    changed_.wait(lock, [&] { return broken_ || !leaving_; });
    check();
    add();
    ++arrived_;
    if (arrived_ == size_) {
      leaving_ = true;
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return broken_ || leaving_; });
    check();
  }
  void leave() {
    const std::lock_guard<std::mutex> lock(guard_);
    if (--arrived_ == 0) {
      leaving_ = false;
      changed_.notify_all();
    }
  }
  void check() const {
    if (broken_) {
      throw std::runtime_error("the ranks reduce different things");
    }
  }

  std::size_t size_;
  std::size_t first_failure_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::size_t arrived_ = 0;
  bool leaving_ = false;
  bool broken_ = false;
  Kind kind_ = Kind::kNone;
  std::vector<double> all_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::size_t numbers_ = 0;
};

class RankReducer : public rankmix::Reducer {
 public:
  RankReducer(Ranks& ranks, std::size_t rank) : ranks_(ranks), rank_(rank) {}
  std::size_t size() const override { return ranks_.size(); }
  std::size_t rank() const override { return rank_; }
  std::vector<std::vector<std::uint8_t>> gather(
      rankmix::View<const std::uint8_t> bytes) override {
    return ranks_.gather(rank_, bytes);
  }

 private:
  void add_doubles(rankmix::View<double> numbers) override {
    ranks_.reduce(Ranks::Kind::kAdd, numbers);
  }
  void max_doubles(rankmix::View<double> numbers) override {
    ranks_.reduce(Ranks::Kind::kMax, numbers);
  }
  // An odd number of ranks adds words, so that tests cover both kinds of sums.
  bool adds_words(std::size_t /*count*/) override { return size() % 2 == 1; }
  void add_words(rankmix::View<std::uint32_t> words) override {
    std::vector<double> sums(words.begin(), words.end());
    ranks_.reduce(Ranks::Kind::kAdd, rankmix::View<double>(sums.data(), sums.size()));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      words[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(sums[i]));
    }
  }

  Ranks& ranks_;
  std::size_t rank_;
};

class RankHost : public ThreadHost {
 public:
  RankHost(Ranks& ranks, std::size_t rank, unsigned threads)
      : ThreadHost(threads), reducer_(ranks, rank) {}
  rankmix::Reducer& reducer() override { return reducer_; }

 private:
  RankReducer reducer_;
};

// Calls body(rank, host) for each of `size` ranks at the same time. Rethrows the exception
// of the rank that failed first. Returns the count of reduced numbers.
inline std::size_t run_ranks(
    std::size_t size, unsigned threads,
    const rankmix::FunctionRef<void(std::size_t, rankmix::Host&)>& body) {
  Ranks ranks(size);
  std::vector<std::exception_ptr> failures(size);
  std::vector<std::thread> processes;
  for (std::size_t rank = 0; rank < size; ++rank) {
    processes.emplace_back([&, rank] {
      try {
        RankHost host(ranks, rank, threads);
        body(rank, host);
      } catch (...) {
        failures[rank] = std::current_exception();
        ranks.fail(rank);
      }
    });
  }
  for (std::thread& process : processes) {
    process.join();
  }
  if (ranks.first_failure() < size) {
    std::rethrow_exception(failures[ranks.first_failure()]);
  }
  return ranks.numbers();
}
