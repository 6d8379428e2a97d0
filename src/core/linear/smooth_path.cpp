#include "core/linear/smooth_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/errors.h"
#include "core/base/rounding.h"
#include "core/base/serial_host.h"
#include "core/objective/evaluate.h"
#include "core/optimize/linear_loss.h"
#include "core/optimize/nonlinear_cg.h"

namespace rankmix::linear {
namespace {

using optimize::Status;
using optimize::Vector;

// Up to this number of feature values, penalties run in parallel.
constexpr std::size_t kSmall = std::size_t{1} << 23;

// Weights in units of scaled features. Dropped features get 0.
Vector scaled(View<const double> weights, const Scaling& scaling) {
  Vector result(weights.size(), 0.0);
  for (std::size_t j = 0; j < result.size(); ++j) {
    if (scaling.factor[j] != 0.0) {
      result[j] = weights[j] / scaling.factor[j];
    }
  }
  return result;
}

bool all_tie(const objective::Documents& documents, const Vector& scores) {
  for (std::size_t q = 0; q < documents.queries.count(); ++q) {
    const View<const int> rows = documents.queries.rows_of(q);
    for (int row : rows) {
      if (scores[static_cast<std::size_t>(row)] !=
          scores[static_cast<std::size_t>(rows[0])]) {
        return false;
      }
    }
  }
  return true;
}

// Subtracts the mean of the query from each number.
Vector centred(const objective::Documents& documents, View<const double> numbers) {
  Vector result(documents.rows(), 0.0);
  for (std::size_t q = 0; q < documents.queries.count(); ++q) {
    const View<const int> rows = documents.queries.rows_of(q);
    double sum = 0.0;
    for (int row : rows) {
      sum += numbers[static_cast<std::size_t>(row)];
    }
    for (int row : rows) {
      result[static_cast<std::size_t>(row)] =
          numbers[static_cast<std::size_t>(row)] - sum / static_cast<double>(rows.size());
    }
  }
  return result;
}

// True if the last five steps together gained at most `least`.
class Progress {
 public:
  explicit Progress(double least) : min_(least) {}
  bool is_over(double value) {
    constexpr std::size_t few = 5;
    values_.push_back(value);
    return values_.size() > few && values_[values_.size() - 1 - few] - value <= min_;
  }

 private:
  double min_;
  std::vector<double> values_;
};

// All stages of one penalty.
class Walk {
 public:
  Walk(const Features& features, const objective::Documents& documents, Vector start,
       Vector centre, double penalty)
      : features_(features),
        documents_(documents),
        weights_(std::move(start)),
        centre_(std::move(centre)),
        penalty_(penalty) {}

  SmoothStage run(const objective::Objective& on, double width, double least,
                  std::size_t max_steps, Host& host) {
    bool flat = true;  // the gradient is 0
    optimize::LinearLoss parts;
    parts.multiply = [&](const Vector& v) {
      Vector scores;
      features_.multiply(v, 1, scores, host);
      return scores;
    };
    parts.multiply_transposed = [&](const Vector& gradients) {
      flat = std::all_of(gradients.begin(), gradients.end(),
                         [](double s) { return s == 0.0; });
      return features_.multiply_transposed(gradients, 1, host);
    };
    parts.loss = [&](const Vector& scores, Vector& gradients) {
      return objective::evaluate(on, documents_, scores, host,
                                 {{gradients.data(), gradients.size()}, {}});
    };
    parts.penalty = 2.0 * penalty_;
    parts.center = centre_;
    optimize::LinearLossFunction function(std::move(parts), weights_);
    if (all_tie(documents_, function.products())) {
      leave_ties(function, width, host);
    }
    optimize::NonlinearCgOptions options;
    options.descent.tolerance = 0.0;
    options.descent.max_steps = max_steps;
    options.first_step = first_step(function, width, host);
    Progress progress(least);
    const optimize::Descent descent = optimize::minimise_nonlinear_cg(
        function, options, host,
        [&](const optimize::Descent& so_far) { return progress.is_over(so_far.value); });
    weights_ = function.point();
    SmoothStage stage;
    stage.objective = descent.value;
    stage.metric = metric_at(descent.value);
    stage.steps = descent.steps;
    stage.evaluations = descent.evaluations;
    stage.status = flat ? Status::kStalled : descent.status;
    stage.weights = weights_;
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      stage.weights[j] *= features_.scaling().factor[j];
    }
    return stage;
  }

 private:
  double metric_at(double objective) const {
    double square = 0.0;
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      square += (weights_[j] - centre_[j]) * (weights_[j] - centre_[j]);
    }
    return penalty_ * square - objective;
  }

  // The standard deviation within queries of the change of scores by a step of 1.
  double spread_along(const Vector& direction, Host& host) const {
    Vector scores;
    features_.multiply(direction, 1, scores, host);
    const Vector apart = centred(documents_, scores);
    return std::sqrt(optimize::dot(apart, apart) / static_cast<double>(apart.size()));
  }

  // The step at which scores change by about `width`. So the step does not depend on
  // the units of features or scores. It is at most the step that minimises the penalty.
  double first_step(optimize::LinearLossFunction& function, double width,
                    Host& host) const {
    Vector gradient;
    function.evaluate(gradient);
    const double spread = spread_along(gradient, host);
    const double step = spread > 0.0 ? width / spread : 0.0;
    return penalty_ > 0.0 ? std::min(step, 0.5 / penalty_) : step;
  }

  // Moves to the best of some points along the direction in which scores follow gains.
  void leave_ties(optimize::LinearLossFunction& function, double width,
                  Host& host) const {
    const Vector direction =
        features_.multiply_transposed(centred(documents_, documents_.targets), 1, host);
    const double spread = spread_along(direction, host);
    if (!(spread > 0.0)) {
      return;
    }
    Vector gradient;
    double lowest = function.evaluate(gradient);
    double best = 0.0;
    function.set_direction(direction);
    for (int power = -3; power <= 6; ++power) {
      const double step = std::ldexp(width / spread, power);
      const double value = function.along(step).value;
      if (value < lowest - rounding_of(lowest)) {
        lowest = value;
        best = step;
      }
    }
    if (best > 0.0) {
      function.move(best);
    }
  }

  const Features& features_;
  const objective::Documents& documents_;
  Vector weights_;
  Vector centre_;
  double penalty_;
};

void check_arguments(const Features& features, const objective::Documents& documents,
                     const SmoothStart& start, View<const double> penalties) {
  if (features.rows() != documents.rows() || features.scaling().bias ||
      start.start.size() != features.inputs() ||
      start.centre.size() != features.inputs()) {
    throw InvalidArgument("features, documents and weights of a linear model do not fit");
  }
  objective::check_gains(documents);
  for (double penalty : penalties) {
    if (!(penalty >= 0.0) || std::isinf(penalty)) {
      throw InvalidArgument("penalties must be finite, 0 or above");
    }
  }
}

}  // namespace

void SmoothPathOptions::validate() const {
  if (!(tolerance >= 0.0) || max_steps < 1) {
    throw InvalidArgument("impossible options of a path of smooth metrics");
  }
}

std::vector<std::vector<SmoothStage>> smooth_path(
    const Features& features, const objective::Documents& documents,
    const objective::Smooth& on, const SmoothStart& start, View<const double> penalties,
    const SmoothPathOptions& options, Host& host) {
  options.validate();
  objective::check_documents(on, documents);
  check_arguments(features, documents, start, penalties);
  const Vector first = scaled(start.start, features.scaling());
  const Vector centre = scaled(start.centre, features.scaling());
  std::vector<Walk> walks;
  for (double penalty : penalties) {
    walks.emplace_back(features, documents, first, centre, penalty);
  }
  objective::Smooth stage(on);
  const std::size_t stages = stage.stages();
  std::vector<std::vector<SmoothStage>> path(walks.size(),
                                             std::vector<SmoothStage>(stages));
  const double least = options.tolerance * objective::total_weight(on, documents, host);
  const bool side_by_side =
      walks.size() > 1 && features.rows() * features.inputs() <= kSmall;
  for (std::size_t t = 0; t < stages; ++t) {
    stage.begin_stage(t);
    const double width = stage.width();
    if (side_by_side) {
      host.parallel_for(walks.size(), [&](std::size_t i) {
        SerialHost serial;
        path[i][t] = walks[i].run(stage, width, least, options.max_steps, serial);
      });
      host.checkpoint();
    } else {
      for (std::size_t i = 0; i < walks.size(); ++i) {
        path[i][t] = walks[i].run(stage, width, least, options.max_steps, host);
      }
    }
    host.progress(t + 1, stages);
  }
  return path;
}

}  // namespace rankmix::linear
