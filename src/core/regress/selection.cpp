#include "core/regress/selection.h"

#include <algorithm>
#include <cmath>

#include "core/base/dense.h"
#include "core/base/square_unit.h"

namespace rankmix::regress {
namespace {

constexpr double kRidge = 1e-8;     // for standardised features
constexpr double kCollinear = 1.5;  // bound of standardised coefficients

// The problem with features divided by their standard deviations, which have n - 1
// degrees of freedom.
class Standardised {
 public:
  explicit Standardised(const Moments& moments) : moments_(moments) {
    const double freedom =
        moments.weight * (moments.count - 1.0) / std::max(moments.count, 1.0);
    for (std::size_t j = 0; j <= moments.features; ++j) {
      const double square = std::max(0.0, moments.product(j, j));
      units_.push_back(freedom > 0.0 ? std::sqrt(square / freedom) : 0.0);
    }
  }
  double unit(std::size_t j) const { return units_[j]; }
  double unit_of_target() const { return units_.back(); }

  // The coefficients of these features.
  std::vector<double> solve(const std::vector<std::size_t>& chosen) const {
    const std::size_t p = chosen.size();
    const std::size_t target = moments_.features;
    std::vector<double> right(p);
    for (double ridge = kRidge;; ridge *= 100.0) {
      std::vector<double> lower(p * p, 0.0);
      for (std::size_t a = 0; a < p; ++a) {
        for (std::size_t b = a; b < p; ++b) {
          lower[a * p + b] = scaled(chosen[b], chosen[a]) + (a == b ? ridge : 0.0);
        }
        right[a] = moments_.product(chosen[a], target) / units_[chosen[a]];
      }
      // Rounding may make the matrix indefinite. The ridge is then increased.
      if (p == 0 || dense::solve_positive(lower, right)) {
        return right;
      }
      if (!(ridge < 1e300)) {
        return std::vector<double>(p, 0.0);
      }
    }
  }

  double squares(const std::vector<std::size_t>& chosen,
                 const std::vector<double>& weights) const {
    const std::size_t target = moments_.features;
    double sum = moments_.product(target, target);
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      double fitted = 0.0;
      for (std::size_t b = 0; b < chosen.size(); ++b) {
        fitted += scaled(chosen[a], chosen[b]) * weights[b];
      }
      sum += weights[a] *
             (fitted - 2.0 * moments_.product(chosen[a], target) / units_[chosen[a]]);
    }
    return std::max(0.0, sum);
  }

 private:
  double scaled(std::size_t i, std::size_t j) const {
    return moments_.product(i, j) / (units_[i] * units_[j]);
  }

  const Moments& moments_;
  std::vector<double> units_;
};

struct Model {
  std::vector<std::size_t> features;
  std::vector<double> weights;  // of standardised features
};

Model without(const Standardised& problem, const Model& model, std::size_t at) {
  Model less;
  less.features = model.features;
  less.features.erase(less.features.begin() + static_cast<std::ptrdiff_t>(at));
  less.weights = problem.solve(less.features);
  return less;
}

std::size_t largest(const std::vector<double>& weights) {
  return static_cast<std::size_t>(
      std::max_element(weights.begin(), weights.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      weights.begin());
}
std::size_t smallest(const std::vector<double>& weights) {
  return static_cast<std::size_t>(
      std::min_element(weights.begin(), weights.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      weights.begin());
}

// Drops features from `model`. Returns the sum of squares of the model that remains.
double select(const Standardised& problem, double count, Model& model) {
  const double most = kCollinear * problem.unit_of_target();
  while (!model.weights.empty()) {
    const std::size_t at = largest(model.weights);
    if (!(std::abs(model.weights[at]) > most)) {
      break;
    }
    model = without(problem, model, at);
  }
  double squares = problem.squares(model.features, model.weights);
  const double full = squares;
  const double p = static_cast<double>(model.features.size()) + 1.0;
  double score = count + p;
  while (!model.weights.empty()) {
    Model less = without(problem, model, smallest(model.weights));
    const double of_less = problem.squares(less.features, less.weights);
    const double p_now = static_cast<double>(less.features.size()) + 1.0;
    const double found = of_less / full * (count - p) + 2.0 * p_now;
    if (!(found < score)) {
      break;
    }
    score = found;
    squares = of_less;
    model = std::move(less);
  }
  return squares;
}

}  // namespace

Regression select_regression(const Moments& moments) {
  const Standardised problem(moments);
  Model model;
  for (std::size_t j = 0; j < moments.features; ++j) {
    const bool divides = inverse_deviation(problem.unit(j) * moments.units[j]) > 0.0;
    if (moments.varies[j] != 0 && divides) {
      model.features.push_back(j);
    }
  }
  model.weights = problem.solve(model.features);
  Regression found;
  found.weights.assign(moments.features, 0.0);
  found.squares = select(problem, moments.count, model);
  found.intercept = moments.means[moments.features];
  for (std::size_t a = 0; a < model.features.size(); ++a) {
    const std::size_t j = model.features[a];
    found.weights[j] = model.weights[a] / problem.unit(j) / moments.units[j];
    found.intercept -= found.weights[j] * moments.means[j];
  }
  return found;
}

}  // namespace rankmix::regress
