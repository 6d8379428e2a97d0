#include "core/boost/adarank.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/exp.h"

namespace rankmix::boost {
namespace {

// A weak ranker with r = 1 would get an infinite alpha.
constexpr double kMaxValue = 1.0 - 1e-12;
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

double alpha_of(double value) {
  const double below_one = std::min(value, kMaxValue);
  return 0.5 * std::log((1.0 + below_one) / (1.0 - below_one));
}

// sum_q a_q b_q for products that sum to at most 1. Products are rounded to units of
// 2^-51 and then summed exactly, so that the order of the queries does not matter.
// Doubles in [2, 4) are multiples of this unit, and their bit patterns count the units.
double exact_product(const double* a, const double* b, std::size_t count) {
  constexpr double kTwo = 2.0;
  std::uint64_t two;
  std::memcpy(&two, &kTwo, sizeof(two));
  std::uint64_t sum = 0;
  for (std::size_t q = 0; q < count; ++q) {
    const double shifted = a[q] * b[q] + kTwo;
    std::uint64_t bits;
    std::memcpy(&bits, &shifted, sizeof(bits));
    sum += bits - two;
  }
  return std::ldexp(static_cast<double>(sum), -51);
}

double defined(double value) { return value == metric::kUndefined ? 0.0 : value; }

// Weak rankers per task, and the number of products above which several threads pay off.
constexpr std::size_t kWeakPart = 16;
constexpr std::size_t kLightProducts = std::size_t{1} << 17;

}  // namespace

AdaRank::AdaRank(const data::Columns& columns, const metric::Judged& judged,
                 const AdaRankOptions& options, Host& host)
    : columns_(columns),
      judged_(judged),
      options_(options),
      directions_(options.negatives ? 2 : 1),
      back_(weak_count(), 0) {
  metric::check(judged);
  if (columns.rows() != judged.rows()) {
    throw InvalidArgument("features and grades differ in the number of rows");
  }
  find_queries();
  orders_.emplace(judged, queries_);
  measure_features(host);
  for (std::size_t q : queries_) {
    query_weights_.push_back(judged.weights[q]);
  }
  const double all = sum_exactly(query_weights_);
  for (double& weight : query_weights_) {
    weight /= all;
  }
  chances_ = query_weights_;
}

// Uses equal scores, because whether a query counts does not depend on the ranking.
void AdaRank::find_queries() {
  const std::vector<double> alike(judged_.rows(), 0.0);
  metric::QueryMeter meter(judged_);
  for (std::size_t q = 0; q < judged_.queries.count(); ++q) {
    if (judged_.weights[q] > 0.0 && !std::isnan(meter.value(q, alike.data()))) {
      queries_.push_back(q);
    }
  }
}

void AdaRank::measure_features(Host& host) {
  values_.resize(weak_count());
  for (std::size_t weak = 0; weak < weak_count(); ++weak) {
    host.checkpoint();
    std::vector<double>& values = values_[weak];
    orders_->measure(sign_of(weak), columns_.column(feature_of(weak), buffer_), host,
                     values);
    for (double& value : values) {
      value = defined(value);
      min_ = std::min(min_, value);
      largest_ = std::max(largest_, value);
    }
  }
}

double AdaRank::mean_of(const std::vector<double>& values) const {
  return exact_product(query_weights_.data(), values.data(), values.size());
}

std::vector<double> AdaRank::weak_means() const {
  std::vector<double> means;
  for (const std::vector<double>& values : values_) {
    means.push_back(mean_of(values));
  }
  return means;
}

std::uint64_t AdaRank::digest() const {
  // Fowler-Noll-Vo hash of words instead of bytes.
  std::uint64_t hash = 14695981039346656037U;
  auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211U; };
  for (const std::vector<double>& values : values_) {
    for (double value : values) {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      add(bits);
      add(bits >> 32);
    }
  }
  return hash;
}

// Computes P_{t+1} from the metric of each query.
void AdaRank::spread(const std::vector<double>& values) {
  for (std::size_t q = 0; q < values.size(); ++q) {
    chances_[q] = query_weights_[q] * exp_not_positive(-values[q]);
  }
  const double all = sum_exactly(chances_);
  for (double& chance : chances_) {
    chance /= all;
  }
}

double AdaRank::weighted_value(std::size_t weak) const {
  return exact_product(chances_.data(), values_[weak].data(), chances_.size());
}

// The best weak ranker that is not excluded; weak_count() if none has a positive value.
std::size_t AdaRank::choose(Host& host) {
  std::vector<double> found(weak_count());
  for_each_part(host, found.size(), kWeakPart,
                found.size() * chances_.size() > kLightProducts,
                [&](std::size_t, std::size_t begin, std::size_t end) {
                  for (std::size_t weak = begin; weak < end; ++weak) {
                    found[weak] = weighted_value(weak);
                  }
                });
  for (std::size_t weak = 0; weak < found.size(); ++weak) {
    if (back_[weak] > model_.alpha.size()) {
      found[weak] = 0.0;
    }
  }
  const auto best = std::max_element(found.begin(), found.end());
  return best == found.end() || *best <= 0.0
             ? found.size()
             : static_cast<std::size_t>(best - found.begin());
}

void AdaRank::add(std::size_t weak, double value, double alpha, Host& host) {
  const double* column = columns_.column(feature_of(weak), buffer_);
  orders_->add(alpha * sign_of(weak), column, host, in_rounds_);
  for (double& e : in_rounds_) {
    e = defined(e);
  }
  spread(in_rounds_);
  streak_ = streak_ > 0 && weak == last_ ? streak_ + 1 : 1;
  last_ = weak;
  model_.feature.push_back(static_cast<int>(feature_of(weak)));
  model_.sign.push_back(sign_of(weak));
  model_.alpha.push_back(alpha);
  model_.value.push_back(value);
  model_.mean.push_back(mean_of(in_rounds_));
  if (options_.repeats > 0 && streak_ >= options_.repeats) {
    back_[weak] = options_.pause == 0 ? kNever : model_.alpha.size() + options_.pause;
  }
}

bool AdaRank::is_idle() const {
  const std::vector<double>& mean = model_.mean;
  if (options_.tolerance < 0.0 || mean.size() <= kIdleRounds) {
    return false;
  }
  const auto recent = mean.end() - static_cast<std::ptrdiff_t>(kIdleRounds);
  return *std::max_element(recent, mean.end()) <=
         *std::max_element(mean.begin(), recent) + options_.tolerance;
}

// Returns false if the fit has ended.
bool AdaRank::add_round(Host& host) {
  if (is_idle()) {
    model_.status = AdaRankStatus::kConverged;
    return false;
  }
  const std::size_t weak = choose(host);
  const bool stalls =
      weak == weak_count() ||
      (options_.repeats == 0 && streak_ > 0 && weak == last_ &&
       orders_->follows(sign_of(weak), columns_.column(feature_of(weak), buffer_), host));
  if (stalls) {
    model_.status = AdaRankStatus::kStalled;
    return false;
  }
  const double value = weighted_value(weak);
  add(weak, value, alpha_of(value), host);
  return true;
}

void AdaRank::run(std::size_t rounds, std::size_t total, Host& host) {
  for (std::size_t i = 0; i < rounds; ++i) {
    host.checkpoint();
    if (!add_round(host)) {
      return;
    }
    host.progress(model_.alpha.size(), total);
  }
}

void AdaRank::replay(const AdaRankModel& model, Host& host) {
  for (std::size_t t = 0; t < model.alpha.size(); ++t) {
    host.checkpoint();
    const auto feature = static_cast<std::size_t>(model.feature[t]);
    const std::size_t weak = feature * directions_ + (model.sign[t] < 0 ? 1 : 0);
    if (feature >= columns_.count() || (model.sign[t] < 0 && directions_ == 1)) {
      throw InvalidArgument("the model was trained on other features");
    }
    const double value = weighted_value(weak);
    if (alpha_of(value) != model.alpha[t]) {
      throw InvalidArgument("the model was trained on other data");
    }
    add(weak, value, model.alpha[t], host);
  }
}

}  // namespace rankmix::boost
