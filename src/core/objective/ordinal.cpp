#include "core/objective/ordinal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/message.h"
#include "core/base/rounding.h"

namespace rankmix::objective {
namespace {

double logistic(double x) {
  return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x));
}

// log(1 + exp(x)) without overflow.
double soft_plus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

// The number of bounds at or below the grade.
std::size_t class_of(const std::vector<GradeBound>& bounds, int grade) {
  std::size_t k = 0;
  while (k < bounds.size() && bounds[k].grade <= grade) {
    ++k;
  }
  return k;
}

// - log P of class k. With the bounds below and above it, P is logistic(s - below)
// logistic(above - s) (1 - exp(below - above)).
double loss(const std::vector<GradeBound>& bounds, std::size_t k, double score) {
  double sum = 0.0;
  if (k > 0) {
    sum += soft_plus(bounds[k - 1].bound - score);
  }
  if (k < bounds.size()) {
    sum += soft_plus(score - bounds[k].bound);
  }
  if (k > 0 && k < bounds.size()) {
    sum -= std::log(-std::expm1(bounds[k - 1].bound - bounds[k].bound));
  }
  return sum;
}

class Worker : public QueryWorker {
 public:
  Worker(const std::vector<GradeBound>& bounds, bool known)
      : bounds_(bounds), known_(known) {}

  double evaluate(const Query& query, const Derivatives& out) override {
    if (!known_) {
      throw InvalidArgument("bounds of grades are not known before a round begins");
    }
    losses_.resize(query.size());
    for (std::size_t i = 0; i < query.size(); ++i) {
      const std::size_t k = class_of(bounds_, query.grades[i]);
      const double score = query.scores[i];
      const double at_least = k == 0 ? 1.0 : logistic(score - bounds_[k - 1].bound);
      const double above = k == bounds_.size() ? 0.0 : logistic(score - bounds_[k].bound);
      out.gradient[i] = query.weights[i] * (at_least + above - 1.0);
      out.hessian[i] =
          query.weights[i] * (at_least * (1.0 - at_least) + above * (1.0 - above));
      losses_[i] = query.weights[i] * loss(bounds_, k, score);
    }
    return sum_exactly(losses_);
  }

  double weight(const Query& query) override { return sum_exactly(query.weights); }

  void multiply(const Query& query, View<const double> direction,
                View<double> product) override {
    gradient_.resize(query.size());
    evaluate(query, {{gradient_.data(), gradient_.size()}, product});
    for (std::size_t i = 0; i < query.size(); ++i) {
      product[i] *= direction[i];
    }
  }

 private:
  const std::vector<GradeBound>& bounds_;
  bool known_;
  std::vector<double> losses_;
  std::vector<double> gradient_;
};

// The data for the estimation of bounds. Weights sum to 1.
struct WeightedData {
  View<const double> scores;
  std::vector<std::size_t> classes;
  std::vector<double> weights;
  std::vector<double> fractions;  // fraction of each class

  std::size_t size() const { return scores.size(); }
};

// The bounds that give the observed fractions of the grades if all scores are equal.
std::vector<GradeBound> first_bounds(const Documents& documents,
                                     const std::vector<double>& weights, Host& host) {
  std::set<int> grades;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) {
      grades.insert(documents.grades[i]);
    }
  }
  Message own;
  own.put(std::vector<int>(grades.begin(), grades.end()));
  std::map<int, double> fractions;
  for (MessageReader& message : gather(host.reducer(), own)) {
    for (int grade : message.next<int>()) {
      fractions[grade] = 0.0;
    }
  }
  for (auto& [grade, fraction] : fractions) {
    const int of = grade;
    fraction = sum_exactly(host, weights.size(), [&](std::size_t i) {
      return documents.grades[i] == of ? weights[i] : 0.0;
    });
  }
  std::vector<GradeBound> bounds;
  double below = 0.0;
  for (auto at = fractions.begin(); at != fractions.end(); ++at) {
    if (at != fractions.begin()) {
      bounds.push_back({at->first, std::log(below / (1.0 - below))});
    }
    below += at->second;
  }
  return bounds;
}

double value_of(const std::vector<GradeBound>& bounds, const WeightedData& data,
                Host& host) {
  return sum_exactly(host, data.size(), [&](std::size_t i) {
    return data.weights[i] > 0.0
               ? data.weights[i] * loss(bounds, data.classes[i], data.scores[i])
               : 0.0;
  });
}

// Solves a symmetric tridiagonal system. `off` has one element fewer than `diagonal`.
void solve_three(std::vector<double> diagonal, const std::vector<double>& off,
                 std::vector<double>& right) {
  for (std::size_t k = 1; k < diagonal.size(); ++k) {
    const double times = off[k - 1] / diagonal[k - 1];
    diagonal[k] -= times * off[k - 1];
    right[k] -= times * right[k - 1];
  }
  for (std::size_t k = diagonal.size(); k-- > 0;) {
    if (k + 1 < diagonal.size()) {
      right[k] -= off[k] * right[k + 1];
    }
    right[k] /= diagonal[k];
  }
}

struct NewtonStep {
  std::vector<double> by;
  double decrease;  // of the parabola that the step minimises

  double longest() const {
    return std::abs(*std::max_element(by.begin(), by.end(), [](double a, double b) {
      return std::abs(a) < std::abs(b);
    }));
  }
};

// The Newton step for the bounds.
NewtonStep newton_step(const std::vector<GradeBound>& bounds, const WeightedData& data,
                       Host& host) {
  const std::size_t count = bounds.size();
  const std::vector<std::int64_t> sums =
      sum_tables(host, data.size(), 2 * count, [&](std::size_t i, std::int64_t* to) {
        const auto add = [&](std::size_t k, double sign) {
          const double p = logistic(sign * (bounds[k].bound - data.scores[i]));
          to[2 * k] += to_fixed(sign * p * data.weights[i]);
          to[2 * k + 1] += to_fixed(p * (1.0 - p) * data.weights[i]);
        };
        if (data.classes[i] > 0) {
          add(data.classes[i] - 1, 1.0);
        }
        if (data.classes[i] < count) {
          add(data.classes[i], -1.0);
        }
      });
  std::vector<double> step(count);
  std::vector<double> diagonal(count);
  std::vector<double> off(count - 1);
  for (std::size_t k = 0; k < count; ++k) {
    step[k] = -from_fixed(sums[2 * k]);
    diagonal[k] = from_fixed(sums[2 * k + 1]);
  }
  for (std::size_t k = 0; k + 1 < count; ++k) {  // terms of log(1 - exp(-gap))
    const double ratio = 1.0 / std::expm1(bounds[k + 1].bound - bounds[k].bound);
    const double fraction = data.fractions[k + 1];
    step[k] -= fraction * ratio;
    step[k + 1] += fraction * ratio;
    diagonal[k] += fraction * ratio * (1.0 + ratio);
    diagonal[k + 1] += fraction * ratio * (1.0 + ratio);
    off[k] = -fraction * ratio * (1.0 + ratio);
  }
  const std::vector<double> downhill = step;
  solve_three(std::move(diagonal), off, step);
  const double decrease =
      0.5 * std::inner_product(step.begin(), step.end(), downhill.begin(), 0.0);
  return {std::move(step), decrease};
}

bool in_order(const std::vector<GradeBound>& bounds) {
  return std::is_sorted(
      bounds.begin(), bounds.end(),
      [](const GradeBound& a, const GradeBound& b) { return !(a.bound > b.bound); });
}

// Takes the step, or half of it, and so on, until the value does not increase. Returns
// false if no fraction works. Near the minimum, rounding errors of the value hide the
// decrease. Then the full step is taken, because gradients are more precise than values.
bool take_step(const NewtonStep& step, const WeightedData& data, Host& host,
               std::vector<GradeBound>& bounds, double& value) {
  constexpr int halvings = 30;
  const bool hidden = step.decrease <= rounding_of(value);
  double times = 1.0;
  for (int h = 0; h < halvings; ++h, times /= 2.0) {
    std::vector<GradeBound> moved = bounds;
    for (std::size_t k = 0; k < moved.size(); ++k) {
      moved[k].bound += times * step.by[k];
    }
    if (!in_order(moved)) {
      continue;
    }
    const double moved_value = value_of(moved, data, host);
    if (moved_value <= value || hidden) {
      bounds = std::move(moved);
      value = moved_value;
      return true;
    }
  }
  return false;
}

}  // namespace

Traits Ordinal::traits() const {
  Traits traits;
  traits.has_product = true;
  traits.in_score_order = false;  // documents are independent
  return traits;
}

std::unique_ptr<QueryWorker> Ordinal::worker() const {
  return std::make_unique<Worker>(bounds_, known_);
}

void Ordinal::check(const Documents& documents) const {
  if (documents.grades.size() != documents.rows()) {
    throw InvalidArgument("the objective needs a grade for each document");
  }
}

void Ordinal::begin_round(const Round&, const Documents& documents,
                          View<const double> scores, Host& host) {
  constexpr int max_steps = 50;
  constexpr double small = 1e-9;
  WeightedData data{scores, {}, weights_of_rows(documents), {}};
  data.weights.resize(documents.rows(), 1.0);
  const double all =
      sum_exactly(host, data.size(), [&](std::size_t i) { return data.weights[i]; });
  for (double& weight : data.weights) {
    weight = all > 0.0 ? weight / all : 0.0;
  }
  if (!known_) {
    bounds_ = first_bounds(documents, data.weights, host);
    known_ = true;
  }
  std::vector<double> moved(scores.begin(), scores.end());
  for (std::size_t i = 0; i < documents.offsets.size(); ++i) {
    moved[i] += documents.offsets[i];
  }
  data.scores = moved;
  for (int grade : documents.grades) {
    data.classes.push_back(class_of(bounds_, grade));
  }
  for (std::size_t k = 0; k <= bounds_.size(); ++k) {
    data.fractions.push_back(sum_exactly(host, data.size(), [&](std::size_t i) {
      return data.classes[i] == k ? data.weights[i] : 0.0;
    }));
  }
  if (bounds_.empty()) {
    return;
  }
  double value = value_of(bounds_, data, host);
  for (int s = 0; s < max_steps; ++s) {
    host.checkpoint();
    const NewtonStep step = newton_step(bounds_, data, host);
    if (!(step.longest() > small) || !take_step(step, data, host, bounds_, value)) {
      return;
    }
  }
}

std::vector<double> Ordinal::state() const {
  std::vector<double> state;
  for (const GradeBound& at : bounds_) {
    state.push_back(at.grade);
    state.push_back(at.bound);
  }
  return state;
}

void Ordinal::set_state(View<const double> state) {
  bounds_.clear();
  for (std::size_t k = 0; k + 1 < state.size(); k += 2) {
    bounds_.push_back({static_cast<int>(state[k]), state[k + 1]});
  }
  known_ = true;
}

}  // namespace rankmix::objective
