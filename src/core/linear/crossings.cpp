#include "core/linear/crossings.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/errors.h"
#include "core/linear/sweep.h"

namespace rankmix::linear {
namespace {

constexpr std::size_t kQueryBlock = 16;  // queries of a task; each is expensive

// Sums of the same changes in different orders differ by rounding. Levels that differ by
// less than this are treated as equal, because real differences are larger.
constexpr double kRounding = 1e-10;

std::vector<Change> changes_of(const metric::Judged& judged, const double* a,
                               const double* b, double least, double most, Host& host) {
  const std::size_t count = judged.queries.count();
  const std::size_t blocks = (count + kQueryBlock - 1) / kQueryBlock;
  std::vector<std::vector<Change>> parts(blocks);
  host.parallel_for(blocks, [&](std::size_t block) {
    Sweep sweep(judged, least, most, host);
    const std::size_t end = std::min(count, (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      if (judged.weights[q] > 0.0) {
        sweep.run(q, a, b, parts[block]);
      }
    }
  });
  std::vector<Change> all;
  for (const std::vector<Change>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Change& x, const Change& y) { return x.t < y.t; });
  return all;
}

constexpr double kNoInterval = std::numeric_limits<double>::infinity();

// The distance of 0 from the interval; 0 if the interval contains 0.
double distance(double from, double to) { return std::max({from, -to, 0.0}); }

}  // namespace

double best_step(const metric::Judged& judged, const double* a, const double* b,
                 double least, double most, Host& host) {
  metric::check(judged);
  if (!(least <= 0.0 && most >= 0.0)) {
    throw InvalidArgument("the range of steps must have 0 in it");
  }
  const std::vector<Change> changes = changes_of(judged, a, b, least, most, host);
  double level = 0.0;
  double best = 0.0;
  double nearest = kNoInterval;
  double step = 0.0;
  double from = least;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const double to = i < changes.size() ? changes[i].t : most;
    // Coinciding changes give intervals of length 0, which are skipped.
    if (to > from) {
      const double away = distance(from, to);
      if (nearest == kNoInterval || level > best + kRounding ||
          (level > best - kRounding && away < nearest)) {
        best = level;
        nearest = away;
        step = from < 0.0 && to > 0.0 ? 0.0 : from + (to - from) / 2.0;
      }
      from = to;
    }
    if (i < changes.size()) {
      level += changes[i].by;
    }
  }
  return step;
}

}  // namespace rankmix::linear
