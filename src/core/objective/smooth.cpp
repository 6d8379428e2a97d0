#include "core/objective/smooth.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/errors.h"
#include "core/objective/metric_parts.h"
#include "core/objective/soft_gains.h"
#include "core/objective/soft_precision.h"

namespace rankmix::objective {
namespace {

using metric::GainRule;

// The value of the rule as a function of the soft gains q, and its derivatives by q.
double value_of(GainRule rule, View<const double> c, View<const double> q,
                std::vector<double>& derivatives) {
  const std::size_t ranks = c.size();
  derivatives.assign(ranks, 0.0);
  double value = 0.0;
  if (rule == GainRule::kFirst) {
    double none = 1.0;  // product of 1 - q of the ranks before
    for (std::size_t r = 0; r < ranks; ++r) {
      derivatives[r] = none;
      none *= 1.0 - q[r];
    }
    for (std::size_t r = ranks; r-- > 0;) {  // `value` covers the ranks from r + 1 on
      derivatives[r] *= c[r] - value;
      value = c[r] * q[r] + (1.0 - q[r]) * value;
    }
    return value;
  }
  double above = 0.0;  // sum of q so far
  for (std::size_t r = 0; r < ranks; ++r) {
    const double fraction = c[r] / static_cast<double>(r + 1);
    above += q[r];
    derivatives[r] = fraction * above;
    value += fraction * above * q[r];
  }
  double below = 0.0;
  for (std::size_t r = ranks; r-- > 0;) {
    below += c[r] * q[r] / static_cast<double>(r + 1);
    derivatives[r] += below;
  }
  return value;
}

class Worker : public QueryWorker {
 public:
  Worker(const metric::Metric& metric, double sigma, double width, SmoothForm form,
         bool spreads, bool warms)
      : metric_(metric),
        soft_(sigma, TiedRanks::kShared),
        precision_(sigma),
        form_(form),
        spreads_(spreads),
        warms_(warms),
        width_(width) {}

  double evaluate(const Query& query, const Derivatives& out) override {
    if (!find_parts(query)) {
      std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
      std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
      return 0.0;
    }
    const double value = warms_ || (spreads_ && are_near(query.scores))
                             ? evaluate_apart(query, out)
                             : evaluate_metric(query.scores, out);
    scale(-1.0, {out.gradient, {}});
    return -value;
  }

  double weight(const Query& query) override { return find_parts(query) ? 1.0 : 0.0; }

 private:
  // Returns false if all rankings have the same value.
  bool find_parts(const Query& query) {
    return parts_.find(metric_, query, "the metric has no smooth form") &&
           !parts_.rank_sum.discounts.empty();
  }

  // The documents must be sorted by score, highest first.
  double evaluate_metric(View<const double> scores, const Derivatives& out) {
    if (form_ == SmoothForm::kRanks) {
      return evaluate_ranks(scores, parts_.gains, out);
    }
    const double value =
        precision_.evaluate(scores, parts_.gains, out.gradient, out.hessian);
    scale(parts_.rank_sum.discounts[0], out);
    return parts_.rank_sum.discounts[0] * value;
  }

  double evaluate_ranks(View<const double> scores, View<const double> gains,
                        const Derivatives& out) {
    soft_.set_query(scores, gains);
    if (parts_.rule == GainRule::kSum) {
      return soft_.evaluate(parts_.rank_sum.discounts, out.gradient, out.hessian);
    }
    const double value =
        value_of(parts_.rule, parts_.rank_sum.discounts,
                 soft_.find(parts_.rank_sum.discounts.size()), derivatives_);
    soft_.evaluate(derivatives_, out.gradient, out.hessian);
    return value;
  }

  // True if the scores are too close together for useful gradients. Within the width of
  // the means all soft gains are about equal, so the metric gives no incentive to
  // separate documents.
  bool are_near(View<const double> scores) const {
    constexpr double widths = 2.0;
    return form_ == SmoothForm::kRanks && deviation(scores) < widths * width_;
  }

  // Returns the value. Gradients are the gradients of least squares with targets
  // proportional to the gains.
  double evaluate_apart(const Query& query, const Derivatives& out) {
    constexpr double widths = 8.0;
    const auto n = static_cast<double>(query.size());
    const double unit = widths * width_ / deviation(parts_.gains);
    const double mean_score = mean_of(query.scores);
    const double mean_gain = mean_of(parts_.gains);
    const double weight = 1.0 / (n * width_ * width_);
    for (std::size_t k = 0; k < query.size(); ++k) {
      out.gradient[k] = weight * (unit * (parts_.gains[k] - mean_gain) -
                                  (query.scores[k] - mean_score));
      out.hessian[k] = weight;
    }
    return evaluate_metric(query.scores, {});
  }

  static double mean_of(View<const double> x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  }
  static double deviation(View<const double> x) {
    const double mean = mean_of(x);
    double sum = 0.0;
    for (double number : x) {
      sum += (number - mean) * (number - mean);
    }
    return std::sqrt(sum / static_cast<double>(x.size()));
  }

  static void scale(double times, const Derivatives& out) {
    for (double& gradient : out.gradient) {
      gradient *= times;
    }
    for (double& hessian : out.hessian) {
      hessian *= times;
    }
  }

  const metric::Metric& metric_;
  SoftGains soft_;
  SoftPrecision precision_;
  SmoothForm form_;
  bool spreads_;
  bool warms_;
  double width_;
  MetricParts parts_;
  std::vector<double> derivatives_;
};

}  // namespace

void SmoothOptions::validate() const {
  const bool positive = std::all_of(sigmas.begin(), sigmas.end(), [](double sigma) {
    return sigma > 0.0 && std::isfinite(sigma);
  });
  if (sigmas.empty() || !positive) {
    throw InvalidArgument("impossible options of a smooth metric");
  }
}

Smooth::Smooth(std::shared_ptr<const metric::Metric> metric, SmoothOptions options)
    : metric_(std::move(metric)), options_(std::move(options)), sigma_(0.0) {
  options_.validate();
  sigma_ = options_.sigmas[0];
  if (options_.form == SmoothForm::kLogistic && !metric_->averages_precision()) {
    throw InvalidArgument("the metric has no smooth form of logistic ranks");
  }
}

Traits Smooth::traits() const {
  Traits traits;
  traits.hessian = HessianKind::kBound;
  traits.shift_invariant = true;
  traits.takes_weights = false;  // each rank has one document
  return traits;
}

std::unique_ptr<QueryWorker> Smooth::worker() const {
  return std::make_unique<Worker>(*metric_, sigma_, width(), options_.form, in_rounds_,
                                  warms_);
}

void Smooth::check(const Documents& documents) const {
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("the objective needs a grade for each document");
  }
}

double Smooth::width() const {
  return options_.form == SmoothForm::kLogistic ? sigma_ : std::sqrt(sigma_);
}

void Smooth::begin_stage(std::size_t stage) {
  Objective::begin_stage(stage);
  sigma_ = options_.sigmas[stage];
}

}  // namespace rankmix::objective
