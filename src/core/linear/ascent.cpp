#include "core/linear/ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/errors.h"
#include "core/linear/rank_lines.h"
#include "core/linear/search_parts.h"
#include "core/linear/sweep.h"
#include "core/linear/weight_line.h"

namespace rankmix::linear {
namespace {

// kBlockRows: approximate number of rows in a task, which consists of whole queries.
// kRowsAtOnce: limit of rows times restarts in memory.
constexpr std::size_t kBlockRows = 4096;
constexpr std::size_t kRowsAtOnce = std::size_t{1} << 21;

// Smaller gains are treated as rounding errors.
constexpr double kMinGain = 1e-10;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The first query of each block of whole queries, then the number of queries.
std::vector<std::size_t> blocks_of(const data::Queries& queries) {
  std::vector<std::size_t> begins{0};
  int first = 0;
  for (std::size_t q = 0; q < queries.count(); ++q) {
    if (static_cast<std::size_t>(queries.offsets[q + 1] - first) >= kBlockRows) {
      begins.push_back(q + 1);
      first = queries.offsets[q + 1];
    }
  }
  if (begins.back() < queries.count() || begins.size() == 1) {
    begins.push_back(queries.count());
  }
  return begins;
}

// The state of one restart.
struct Restart {
  std::size_t start;
  AscentResult found;
  std::vector<double> scores;
  std::vector<std::size_t> order;
  std::vector<double> buffer;  // for a sparse column
  const double* column = nullptr;
  double now = 0.0;           // current value of the metric
  double unit = 1.0;          // unit of keys for the current weight, see weight_line.h
  std::vector<char> settled;  // number of weights that are optimal given the others
  bool active = true;
};

// The changes of the metric that a task found for a restart.
struct Piece {
  std::vector<KeyChange> changes;
  ChangeBins bins;
};

class Ascent {
 public:
  Ascent(const metric::Judged& judged, const Columns& columns, View<const double> scale,
         const AscentOptions& options, Host& host)
      : judged_(judged),
        columns_(columns),
        scale_(scale),
        options_(options),
        host_(host),
        query_weights_(query_weights_of(judged)),
        mean_(judged, query_weights_),
        sums_(judged, query_weights_),
        blocks_(blocks_of(judged.queries)) {}

  std::vector<AscentResult> run() {
    std::vector<AscentResult> found;
    const std::size_t rows = std::max<std::size_t>(judged_.rows(), 1);
    const std::size_t together = std::max<std::size_t>(kRowsAtOnce / rows, 1);
    while (found.size() < options_.starts) {
      run_restarts(found.size(), std::min(together, options_.starts - found.size()));
      for (Restart& restart : restarts_) {
        found.push_back(std::move(restart.found));
      }
    }
    return found;
  }

 private:
  void run_restarts(std::size_t first, std::size_t count) {
    restarts_.assign(count, {});
    for (std::size_t c = 0; c < count; ++c) {
      Restart& restart = restarts_[c];
      restart.start = first + c;
      restart.found.weights = starting_weights(scale_, first + c, options_.seed);
      restart.settled.assign(scale_.size(), 0);
      measure(restart);
    }
    pieces_.resize(count * (blocks_.size() - 1));
    for (std::size_t sweep = 0; sweep < options_.sweeps; ++sweep) {
      if (!sweep_all(sweep)) {
        break;
      }
      host_.progress(first * options_.sweeps + steps_done(),
                     options_.starts * options_.sweeps);
    }
    host_.progress((first + count) * options_.sweeps, options_.starts * options_.sweeps);
  }

  // The number of finished sweeps. A restart that ended counts as complete.
  std::size_t steps_done() const {
    std::size_t done = 0;
    for (const Restart& restart : restarts_) {
      done += restart.active ? restart.found.values.size() - 1 : options_.sweeps;
    }
    return done;
  }

  // Computes the scores of the current weights and the metric.
  void measure(Restart& restart) {
    columns_.scores(restart.found.weights, restart.scores, host_);
    restart.now = mean_(restart.scores.data(), host_);
    restart.found.values.push_back(restart.now);
    host_.checkpoint();
  }

  bool sweep_all(std::size_t sweep) {
    std::vector<Restart*> going;
    std::vector<std::vector<double>> before;
    for (Restart& restart : restarts_) {
      if (restart.active) {
        restart.order = feature_order(scale_, restart.start, sweep, options_.seed);
        going.push_back(&restart);
        before.push_back(restart.found.weights);
      }
    }
    const std::size_t steps = going.empty() ? 0 : going.front()->order.size();
    for (std::size_t step = 0; step < steps; ++step) {
      step_all(step);
    }
    for (std::size_t c = 0; c < going.size(); ++c) {
      end_sweep(*going[c], before[c]);
    }
    return !going.empty();
  }

  // Accumulated gains can be wrong by the rounding of scores. So the metric is evaluated
  // again, and a sweep without an actual gain is undone.
  void end_sweep(Restart& restart, const std::vector<double>& before) {
    const double start = restart.found.values.back();
    normalize(restart.found.weights, scale_);
    measure(restart);
    if (restart.now <= start) {
      restart.found.weights = before;
      restart.found.values.back() = start;
      restart.active = false;
    }
    if (!restart.active || restart.now - start <= options_.tolerance) {
      restart.active = false;
      restart.found.status = restart.found.values.back() > restart.found.values.front()
                                 ? optimize::Status::kConverged
                                 : optimize::Status::kStalled;
    }
  }

  void step_all(std::size_t step) {
    std::vector<Restart*> going;
    for (Restart& restart : restarts_) {
      if (restart.active && restart.settled[restart.order[step]] == 0) {
        going.push_back(&restart);
      }
    }
    host_.checkpoint();
    host_.parallel_for(going.size(), [&](std::size_t c) { aim(*going[c], step); });
    const std::size_t blocks = blocks_.size() - 1;
    host_.parallel_for(going.size() * blocks, [&](std::size_t task) {
      find_changes(*going[task / blocks], step, task % blocks, pieces_[task]);
    });
    host_.parallel_for(going.size(), [&](std::size_t c) {
      move(*going[c], step, pieces_.data() + c * blocks, blocks);
    });
  }

  // Chooses the unit of keys. Crossings are typically at weights of about the size of the
  // other weights.
  void aim(Restart& restart, std::size_t step) {
    const std::size_t j = restart.order[step];
    double sum = 0.0;
    for (std::size_t l = 0; l < scale_.size(); ++l) {
      const double weight = scale_[l] > 0.0 ? restart.found.weights[l] / scale_[l] : 0.0;
      sum += weight * weight;
    }
    restart.unit = (sum > 0.0 ? std::sqrt(sum) : 1.0) * scale_[j];
    restart.column = columns_.column(j, restart.buffer);
  }

  void find_changes(const Restart& restart, std::size_t step, std::size_t block,
                    Piece& piece) {
    piece.changes.clear();
    piece.bins.clear();
    const double weight = restart.found.weights[restart.order[step]];
    RankLines lines(judged_, sums_, host_);
    Sweep sweep(judged_, -kInfinite, kInfinite, host_);
    std::vector<Change> changes;
    for (std::size_t q = blocks_[block]; q < blocks_[block + 1]; ++q) {
      if (!(query_weights_[q] > 0.0)) {
        continue;
      }
      if (sums_.possible()) {
        lines.run(q, restart.scores.data(), restart.column, weight, restart.unit,
                  piece.changes, piece.bins);
        continue;
      }
      changes.clear();
      sweep.run(q, restart.scores.data(), restart.column, changes);
      for (const Change& change : changes) {
        const double by = change.by / judged_.weights[q] * query_weights_[q];
        piece.changes.push_back({key_of(change.t + weight, 1.0, restart.unit),
                                 static_cast<std::int64_t>(by * kMetricUnits)});
        piece.bins.add(piece.changes.back().key, piece.changes.back().by);
      }
    }
  }

  void move(Restart& restart, std::size_t step, const Piece* pieces, std::size_t blocks) {
    ChangeBins bins;
    std::vector<const std::vector<KeyChange>*> parts;
    for (std::size_t b = 0; b < blocks; ++b) {
      bins.add(pieces[b].bins);
      parts.push_back(&pieces[b].changes);
    }
    double& weight = restart.found.weights[restart.order[step]];
    const BestInterval best =
        best_interval(bins, parts, key_of(weight, 1.0, restart.unit));
    if (go(restart, weight, best)) {
      std::fill(restart.settled.begin(), restart.settled.end(), 0);
    }
    restart.settled[restart.order[step]] = 1;
    restart.active = std::any_of(restart.order.begin(), restart.order.end(),
                                 [&](std::size_t j) { return restart.settled[j] == 0; });
  }

  // Sets the weight to the best interval. Returns false if the metric gains nothing.
  bool go(Restart& restart, double& weight, const BestInterval& best) {
    const double gain = static_cast<double>(best.level - best.start) / kMetricUnits;
    if (best.inside && gain < kMinGain) {
      return false;
    }
    const double to = weight_of(best.key, restart.unit);
    std::vector<double> moved = restart.scores;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] += (to - weight) * restart.column[i];
    }
    // If documents tie at the current weight, the gain is unknown, so the metric is
    // evaluated.
    const double now = best.inside ? restart.now + gain : mean_(moved.data());
    if (now < restart.now + kMinGain) {
      return false;
    }
    restart.now = now;
    restart.scores = std::move(moved);
    weight = to;
    return true;
  }

  const metric::Judged& judged_;
  const Columns& columns_;
  View<const double> scale_;
  AscentOptions options_;
  Host& host_;
  std::vector<double> query_weights_;
  MeanMetric mean_;
  RankSums sums_;
  std::vector<std::size_t> blocks_;
  std::vector<Restart> restarts_;
  std::vector<Piece> pieces_;
};

std::vector<AscentResult> ascend(const metric::Judged& judged, const Columns& columns,
                                 View<const double> scale, const AscentOptions& options,
                                 Host& host) {
  options.validate();
  metric::check(judged);
  if (scale.size() != columns.count()) {
    throw InvalidArgument("features and their scale differ in size");
  }
  return Ascent(judged, columns, scale, options, host).run();
}

}  // namespace

void AscentOptions::validate() const {
  if (starts == 0 || sweeps == 0 || !(tolerance >= 0.0)) {
    throw InvalidArgument("impossible options of coordinate ascent");
  }
}

std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            MatrixView<const double> x,
                                            View<const double> scale,
                                            const AscentOptions& options, Host& host) {
  return ascend(judged, Columns(x), scale, options, host);
}

std::vector<AscentResult> coordinate_ascent(const metric::Judged& judged,
                                            const SparseView& x, View<const double> scale,
                                            const AscentOptions& options, Host& host) {
  return ascend(judged, Columns(x), scale, options, host);
}

}  // namespace rankmix::linear
