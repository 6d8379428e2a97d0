#include "core/objective/lambda.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/objective/evaluate.h"
#include "core/objective/lambda_orders.h"
#include "core/objective/lambda_sums.h"
#include "core/objective/metric_parts.h"

namespace rankmix::objective {
namespace {

using metric::GainRule;

class Worker : public QueryWorker {
 public:
  Worker(const metric::Metric& metric, const LambdaOptions& options, std::uint64_t stream,
         const PairFactors* factors)
      : metric_(metric),
        options_(options),
        stream_(stream),
        sums_({options.sigma, options.top, options.by_gap}),
        orders_(metric, {options.sigma, options.top, options.partners, options.by_gap,
                         factors, options.losses}) {}

  double evaluate(const Query& query, const Derivatives& out) override {
    if (!find_parts(query)) {
      std::fill(out.gradient.begin(), out.gradient.end(), 0.0);
      std::fill(out.hessian.begin(), out.hessian.end(), 0.0);
      return 0.0;
    }
    const double lambda_sum =
        has_means()
            ? sums_.evaluate(query.scores, parts_.gains, parts_.rank_sum.discounts, out)
            : orders_.evaluate(query, parts_.counts, parts_.rule, parts_.rank_sum,
                               parts_.gains, stream_, out);
    if (!options_.losses) {
      scale(lambda_sum, out);
    }
    return 0.0;
  }

  double weight(const Query& query) override { return find_parts(query) ? 1.0 : 0.0; }

 private:
  // Returns false if all rankings have the same value.
  bool find_parts(const Query& query) {
    return parts_.find(metric_, query,
                       "the metric does not define the change by a swap") &&
           ranks_differ(query.size());
  }

  bool ranks_differ(std::size_t n) const {
    const std::vector<double>& c = parts_.rank_sum.discounts;
    return !c.empty() &&
           (parts_.rule != GainRule::kSum || c.size() < n ||
            std::any_of(c.begin(), c.end(), [&](double d) { return d != c[0]; }));
  }

  // True if the mean change over the orders of tied documents has a closed form, see
  // lambda_sums.h.
  bool has_means() const {
    const std::vector<double>& discounts = parts_.rank_sum.discounts;
    return options_.partners == 0 && !options_.unbiased &&
           parts_.rule == GainRule::kSum &&
           std::is_sorted(discounts.rbegin(), discounts.rend()) &&
           discounts.back() >= 0.0;
  }

  // Converts sums for sigma 1 to sigma and normalises by query.
  void scale(double sum, const Derivatives& out) const {
    double factor = options_.sigma;
    const double all = 2.0 * options_.sigma * sum;
    if (options_.by_query && all > 0.0) {
      factor *= std::log1p(all) / (std::log(2.0) * all);
    }
    for (std::size_t k = 0; k < out.gradient.size(); ++k) {
      out.gradient[k] *= factor;
      out.hessian[k] *= options_.sigma * factor;
    }
  }

  const metric::Metric& metric_;
  LambdaOptions options_;
  std::uint64_t stream_;
  LambdaSums sums_;
  LambdaOrders orders_;
  MetricParts parts_;
};

}  // namespace

void LambdaOptions::validate() const {
  if (!(sigma > 0.0) || !std::isfinite(sigma) || top == 0) {
    throw InvalidArgument("impossible options of lambdas");
  }
}

Lambda::Lambda(std::shared_ptr<const metric::Metric> metric, const LambdaOptions& options)
    : metric_(std::move(metric)), options_(options) {
  options_.validate();
}

Traits Lambda::traits() const {
  Traits traits;
  traits.hessian = HessianKind::kBound;
  traits.has_value = false;
  traits.shift_invariant = true;
  traits.takes_weights = false;  // each rank has one document
  traits.scales_by_weights = true;
  return traits;
}

std::unique_ptr<QueryWorker> Lambda::worker() const {
  return std::make_unique<Worker>(*metric_, options_, stream_,
                                  factors_.clicked.empty() ? nullptr : &factors_);
}

void Lambda::begin_round(const Round& round, const Documents& documents,
                         View<const double> scores, Host& host) {
  stream_ = round.stream;
  if (!options_.unbiased) {
    return;
  }
  if (factors_.clicked.empty()) {
    factors_ = first_factors(documents.targets, host);
    for (std::size_t p = 0; p < options_.known_factors.size(); ++p) {
      factors_.clicked[p] = options_.known_factors[p];
    }
  }
  if (round.number == 0 || !options_.known_factors.empty()) {
    return;
  }
  Lambda losses = *this;
  losses.options_.losses = true;
  const std::size_t rows = documents.rows();
  std::vector<double> clicked(rows);
  std::vector<double> other(rows);
  evaluate(losses, documents, scores, host,
           {{clicked.data(), rows}, {other.data(), rows}});
  learn_factors(documents.targets, clicked, other, 1.0 / (1.0 + options_.position_l2),
                host, factors_);
}

std::vector<double> Lambda::state() const {
  std::vector<double> state = factors_.clicked;
  state.insert(state.end(), factors_.other.begin(), factors_.other.end());
  return state;
}

void Lambda::check(const Documents& documents) const {
  if (options_.unbiased) {
    check_targets(documents);
  }
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("the objective needs a grade for each document");
  }
}

}  // namespace rankmix::objective
