// Trains a model without R and prints where its time is spent; bench/threads.R calls it.
//
//   replay DATA KIND ROUNDS 0         records all tasks, split for 1 to 64 threads, and
//                                     simulates these threads
//   replay DATA KIND ROUNDS THREADS   prints the seconds of each phase on real threads
//
// KIND is "lambda", "squared" or "adaboost". The lines of the output are those of
// summary.h, and "cost WARM COLD ENLIST" with the costs of policy.h.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "fits.h"
#include "pool_host.h"
#include "record_host.h"
#include "summary.h"

namespace {

using replay::DataSet;
using Clock = std::chrono::steady_clock;

// Number of threads whose calls are shown one by one.
constexpr std::size_t kShownThreads = 16;

void record(const std::string& kind, const DataSet& data, std::size_t rounds) {
  const replay::PoolCost cost = replay::measure_cost();
  std::printf("cost\t%.9f\t%.9f\t%.9f\n", cost.warm, cost.cold, cost.enlist);
  // The split into tasks may depend on the number of threads, so each number has its own
  // record.
  for (std::size_t threads : {1, 2, 4, 8, 16, 32, 64}) {
    replay::RecordHost host(threads);
    replay::train(kind, data, rounds, host,
                  [&](const std::string& phase) { host.begin_phase(phase); });
    host.end();
    if (threads == 1) {
      replay::print_serial(host);
    } else if (threads == kShownThreads) {
      replay::print_places(host);
    }
    replay::print_curves(host, threads, cost);
  }
}

void measure(const std::string& kind, const DataSet& data, std::size_t rounds,
             std::size_t threads) {
  replay::PoolHost host(threads);
  std::string phase;
  Clock::time_point begin;
  auto next = [&](const std::string& name) {
    const Clock::time_point now = Clock::now();
    if (!phase.empty()) {
      std::printf("phase\t%s\t%.6f\n", phase.c_str(),
                  std::chrono::duration<double>(now - begin).count());
    }
    phase = name;
    begin = now;
  };
  replay::train(kind, data, rounds, host, next);
  next("");
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: replay DATA KIND ROUNDS THREADS\n");
    return 1;
  }
  try {
    const DataSet data = replay::read_data(words[1]);
    const auto rounds = static_cast<std::size_t>(std::atoi(words[3]));
    const auto threads = static_cast<std::size_t>(std::atoi(words[4]));
    if (threads == 0) {
      record(words[2], data, rounds);
    } else {
      measure(words[2], data, rounds, threads);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
