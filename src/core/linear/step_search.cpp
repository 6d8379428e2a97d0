#include "core/linear/step_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/linear/search_parts.h"

namespace rankmix::linear {
namespace {

constexpr double kFirstStep = 0.001;
constexpr double kStepFraction = 0.05;  // fraction of the weight, for small weights
constexpr double kGrowth = 2.0;
constexpr std::size_t kMaxSweeps = 1000;  // bounds sweeps whose gains are rounding errors

class StepSearch {
 public:
  StepSearch(const metric::Judged& judged, const Columns& columns,
             View<const double> scale, const StepOptions& options, Host& host)
      : columns_(columns),
        scale_(scale),
        options_(options),
        host_(host),
        query_weights_(query_weights_of(judged)),
        mean_(judged, query_weights_) {}

  std::vector<AscentResult> run() {
    std::vector<AscentResult> found;
    while (found.size() < options_.starts) {
      found.push_back(search_from(found.size()));
      host_.progress(found.size(), options_.starts);
    }
    return found;
  }

 private:
  AscentResult search_from(std::size_t start) {
    AscentResult result;
    weights_ = starting_weights(scale_, 0, options_.seed);
    equal_ = weights_;
    columns_.scores(weights_, scores_, host_);
    best_ = value(scores_);
    result.values.push_back(best_);
    const double first = best_;
    std::size_t failures = 0;
    result.status = optimize::Status::kConverged;
    for (std::size_t sweep = 0;; ++sweep) {
      if (sweep == kMaxSweeps) {
        result.status = optimize::Status::kLimit;
        break;
      }
      const std::vector<std::size_t> order =
          feature_order(scale_, start, sweep, options_.seed);
      const std::size_t most = order.size() > 1 ? order.size() - 1 : order.size();
      if (failures >= most) {
        break;
      }
      for (std::size_t j : order) {
        failures = improve(j) ? 0 : failures + 1;
      }
      columns_.scores(weights_, scores_, host_);
      result.values.push_back(mean_(scores_.data(), host_));
      if (best_ - first < options_.tolerance) {
        break;
      }
    }
    if (best_ <= first) {
      result.status = optimize::Status::kStalled;
    }
    result.weights = weights_;
    return result;
  }

  double value(const std::vector<double>& scores) {
    const double mean = mean_(scores.data(), host_);
    return options_.slack > 0.0 ? mean - options_.slack * distance() : mean;
  }

  // Distance of the weights from equal weights, both normalised.
  double distance() const {
    std::vector<double> now = weights_;
    normalize(now, scale_);
    double sum = 0.0;
    for (std::size_t j = 0; j < now.size(); ++j) {
      const double apart = scale_[j] > 0.0 ? (now[j] - equal_[j]) / scale_[j] : 0.0;
      sum += apart * apart;
    }
    return std::sqrt(sum);
  }

  bool improve(std::size_t j) {
    host_.checkpoint();
    const double* column = columns_.column(j, buffer_);
    const double own = weights_[j] / scale_[j];
    double to = own;
    bool better = look(j, column, own, 1.0, options_.steps, to) ||
                  look(j, column, own, -1.0, options_.steps, to) ||
                  try_weight(j, column, own, 0.0, to);
    place(j, column, own, to, scores_);
    weights_[j] = to * scale_[j];
    if (better) {
      rescale();
    }
    return better;
  }

  // Tries `steps` steps in one direction. Returns true if one is better than the best so
  // far.
  bool look(std::size_t j, const double* column, double own, double direction,
            std::size_t steps, double& to) {
    double step = kFirstStep * direction;
    if (own != 0.0 && kFirstStep > 0.5 * std::abs(own)) {
      step = kStepFraction * std::abs(own);  // positive in both directions, as in RankLib
    }
    double total = step;
    bool better = false;
    for (std::size_t i = 0; i < steps; ++i) {
      better = try_weight(j, column, own, own + total, to) || better;
      step *= kGrowth;
      total += step;
    }
    return better;
  }

  bool try_weight(std::size_t j, const double* column, double own, double weight,
                  double& to) {
    moved_ = scores_;
    place(j, column, own, weight, moved_);
    weights_[j] = weight * scale_[j];
    const double now = value(moved_);
    if (!(now > best_)) {
      return false;
    }
    best_ = now;
    to = weight;
    return true;
  }

  // Changes the scores to another weight of one feature.
  void place(std::size_t j, const double* column, double own, double weight,
             std::vector<double>& scores) {
    const double by = (weight - own) * scale_[j];
    for_each_block(host_, scores.size(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       scores[i] += by * column[i];
                     }
                   });
  }

  void rescale() {
    normalize(weights_, scale_);
    if (std::all_of(weights_.begin(), weights_.end(),
                    [](double w) { return w == 0.0; })) {
      weights_ = equal_;
    }
    columns_.scores(weights_, scores_, host_);
  }

  const Columns& columns_;
  View<const double> scale_;
  StepOptions options_;
  Host& host_;
  std::vector<double> query_weights_;
  MeanMetric mean_;
  std::vector<double> weights_;  // for unscaled features
  std::vector<double> equal_;
  std::vector<double> scores_;
  std::vector<double> moved_;
  std::vector<double> buffer_;
  double best_ = 0.0;
};

std::vector<AscentResult> search(const metric::Judged& judged, const Columns& columns,
                                 View<const double> scale, const StepOptions& options,
                                 Host& host) {
  options.validate();
  metric::check(judged);
  if (scale.size() != columns.count()) {
    throw InvalidArgument("features and their scale differ in size");
  }
  return StepSearch(judged, columns, scale, options, host).run();
}

}  // namespace

void StepOptions::validate() const {
  if (starts == 0 || steps == 0 || !(tolerance >= 0.0) || !(slack >= 0.0)) {
    throw InvalidArgument("impossible options of coordinate ascent");
  }
}

std::vector<AscentResult> step_search(const metric::Judged& judged,
                                      MatrixView<const double> x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host) {
  return search(judged, Columns(x), scale, options, host);
}

std::vector<AscentResult> step_search(const metric::Judged& judged, const SparseView& x,
                                      View<const double> scale,
                                      const StepOptions& options, Host& host) {
  return search(judged, Columns(x), scale, options, host);
}

}  // namespace rankmix::linear
