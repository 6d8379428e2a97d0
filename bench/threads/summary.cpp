#include "summary.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace replay {
namespace {

double sum_of(const RecordHost& host, const Call& call) {
  const float* seconds = host.seconds_of(call);
  return std::accumulate(seconds, seconds + call.count, 0.0);
}

struct PhaseTotal {
  double seconds = 0.0;
  double serial = 0.0;
  std::size_t calls = 0;
};

struct PlaceTotal {
  std::size_t calls = 0;
  std::size_t fewest = static_cast<std::size_t>(-1);
  std::size_t most = 0;
  double seconds = 0.0;
};

// Compares the threads of tasks with the threads in the previous call that had the same
// number of tasks.
class SameThreads {
 public:
  void add(const RecordHost& host, const Call& call,
           const std::vector<std::uint16_t>& now) {
    std::vector<std::uint16_t>& before = last_[{call.place, call.count}];
    if (before.size() == now.size()) {
      std::pair<double, double>& seconds = seconds_[{call.phase, call.place}];
      for (std::size_t i = 0; i < now.size(); ++i) {
        const auto spent = static_cast<double>(host.seconds_of(call)[i]);
        seconds.first += now[i] == before[i] ? spent : 0.0;
        seconds.second += spent;
      }
    }
    before = now;
  }
  void print(const RecordHost& host, std::size_t threads) const {
    for (const auto& entry : seconds_) {
      std::printf("same\t%s\t%p\t%zu\t%.4f\n", host.phases()[entry.first.first].c_str(),
                  entry.first.second, threads, entry.second.first / entry.second.second);
    }
  }

 private:
  std::map<std::pair<void*, std::size_t>, std::vector<std::uint16_t>> last_;
  // Seconds by phase and place: of tasks with the same thread as before, and of all
  // compared tasks.
  std::map<std::pair<std::size_t, void*>, std::pair<double, double>> seconds_;
};

void print_curve(const RecordHost& host, std::size_t threads, const PoolCost& cost) {
  PoolModel pool(threads, cost);
  SameThreads same;
  std::vector<double> phases(host.phases().size(), 0.0);
  std::map<std::pair<std::size_t, void*>, double> places;
  for (const Call& call : host.calls()) {
    const double begin = pool.now();
    pool.run_serial(call.before);
    const double called = pool.now();
    if (call.place != nullptr) {
      pool.run_call(host.seconds_of(call), call.count);
      places[{call.phase, call.place}] += pool.now() - called;
      if (call.count > 1) {
        same.add(host, call, pool.threads_of_tasks());
      }
    }
    phases[call.phase] += pool.now() - begin;
  }
  for (std::size_t p = 0; p < phases.size(); ++p) {
    std::printf("curve\t%s\t%zu\t%s\t%.6f\n", host.phases()[p].c_str(), threads,
                cost.by_thread ? "high" : "low", phases[p]);
  }
  if (cost.by_thread) {
    return;
  }
  for (const auto& place : places) {
    std::printf("calls\t%s\t%p\t%zu\t%.6f\n", host.phases()[place.first.first].c_str(),
                place.first.second, threads, place.second);
  }
  same.print(host, threads);
}

}  // namespace

void print_serial(const RecordHost& host) {
  std::vector<PhaseTotal> phases(host.phases().size());
  std::map<std::tuple<std::size_t, void*, void*>, double> gaps;
  void* last = nullptr;
  for (const Call& call : host.calls()) {
    PhaseTotal& phase = phases[call.phase];
    const double inside = sum_of(host, call);
    phase.seconds += call.before + inside;
    phase.serial += call.before + (call.count == 1 ? inside : 0.0);
    gaps[{call.phase, last, call.place}] += call.before;
    last = call.place;
    if (call.place != nullptr) {
      ++phase.calls;
    }
  }
  for (std::size_t p = 0; p < phases.size(); ++p) {
    std::printf("phase\t%s\t%.6f\t%.6f\t%zu\n", host.phases()[p].c_str(),
                phases[p].seconds, phases[p].serial, phases[p].calls);
  }
  for (const auto& [at, seconds] : gaps) {
    std::printf("gap\t%s\t%p\t%p\t%.6f\n", host.phases()[std::get<0>(at)].c_str(),
                std::get<1>(at), std::get<2>(at), seconds);
  }
}

void print_places(const RecordHost& host) {
  std::map<std::pair<std::size_t, void*>, PlaceTotal> places;
  for (const Call& call : host.calls()) {
    if (call.place != nullptr) {
      PlaceTotal& place = places[{call.phase, call.place}];
      ++place.calls;
      place.fewest = std::min(place.fewest, call.count);
      place.most = std::max(place.most, call.count);
      place.seconds += sum_of(host, call);
    }
  }
  for (const auto& [at, place] : places) {
    std::printf("place\t%s\t%p\t%zu\t%zu\t%zu\t%.6f\n", host.phases()[at.first].c_str(),
                at.second, place.calls, place.fewest, place.most, place.seconds);
  }
}

void print_curves(const RecordHost& host, std::size_t threads, const PoolCost& cost) {
  PoolCost high = cost;
  high.by_thread = true;
  print_curve(host, threads, cost);
  print_curve(host, threads, high);
}

}  // namespace replay
