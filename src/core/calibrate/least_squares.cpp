#include "core/calibrate/least_squares.h"

#include <algorithm>
#include <cmath>

#include "core/base/dense.h"
#include "core/base/square_unit.h"

namespace rankmix::calibrate {
namespace {

constexpr double kNothingLeft = 1e-7;  // relative to the norm of the column
constexpr std::size_t kMaxSteps = 25;
constexpr double kConverged = 1e-8;  // relative change of the deviance

double dot(const double* a, const double* b, std::size_t size) {
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

double root_of(View<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : std::sqrt(weights[i]);
}

// The unit of a column of discriminants.
double unit_of(MatrixView<const double> f, std::size_t l) {
  double largest = 0.0;
  for (std::size_t i = 0; i < f.rows(); ++i) {
    largest = std::max(largest, std::abs(f(i, l)));
  }
  return square_unit(largest);
}

}  // namespace

Columns::Columns(MatrixView<const double> f, View<const double> weights)
    : rows_(f.rows()), inputs_(f.cols()) {
  const std::size_t size = inputs_ + 1;
  r_.assign(size * size, 0.0);
  std::vector<double> column(rows_);
  for (std::size_t l = 0; l < size; ++l) {
    units_.push_back(l == 0 ? 1.0 : unit_of(f, l - 1));
    for (std::size_t i = 0; i < rows_; ++i) {
      column[i] = (l == 0 ? 1.0 : f(i, l - 1) / units_[l]) * root_of(weights, i);
    }
    const double whole = std::sqrt(dot(column.data(), column.data(), rows_));
    std::vector<double> parts(kept_.size(), 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < kept_.size(); ++j) {
        const double* q = this->column(j);
        const double part = dot(q, column.data(), rows_);
        parts[j] += part;
        for (std::size_t i = 0; i < rows_; ++i) {
          column[i] -= part * q[i];
        }
      }
    }
    const double left = std::sqrt(dot(column.data(), column.data(), rows_));
    if (!(left > kNothingLeft * whole)) {
      continue;
    }
    for (std::size_t j = 0; j < parts.size(); ++j) {
      r_[kept_.size() * size + j] = parts[j];
    }
    r_[kept_.size() * size + kept_.size()] = left;
    kept_.push_back(l);
    for (const double x : column) {
      q_.push_back(x / left);
    }
  }
}

std::vector<double> Columns::coefficients(const std::vector<double>& orthonormal) const {
  const std::size_t size = inputs_ + 1;
  std::vector<double> solution = orthonormal;
  for (std::size_t j = rank(); j-- > 0;) {
    for (std::size_t k = j + 1; k < rank(); ++k) {
      solution[j] -= r_[k * size + j] * solution[k];
    }
    solution[j] /= r_[j * size + j];
  }
  std::vector<double> all(size, 0.0);
  for (std::size_t j = 0; j < rank(); ++j) {
    all[kept_[j]] = solution[j] / units_[kept_[j]];
  }
  return all;
}

std::vector<double> linear_coefficients(MatrixView<const double> f,
                                        View<const double> targets,
                                        View<const double> weights) {
  const Columns columns(f, weights);
  std::vector<double> weighted(targets.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    weighted[i] = targets[i] * root_of(weights, i);
  }
  std::vector<double> along(columns.rank());
  for (std::size_t j = 0; j < along.size(); ++j) {
    along[j] = dot(columns.column(j), weighted.data(), weighted.size());
  }
  return columns.coefficients(along);
}

namespace {

// The deviance of an observed fraction y and its expectation mu.
double deviance_of(double y, double mu) {
  auto part = [](double a, double b) { return a > 0.0 ? a * std::log(a / b) : 0.0; };
  return 2.0 * (part(y, mu) + part(1.0 - y, 1.0 - mu));
}

// The logistic function as in R's glm(): never exactly 0 or 1.
double logistic_of(double eta) {
  constexpr double epsilon = 2.220446e-16;
  const double bounded = std::min(30.0, std::max(-30.0, eta));
  const double e =
      std::abs(eta) > 30.0 ? (eta > 0.0 ? 1.0 / epsilon : epsilon) : std::exp(bounded);
  return e / (1.0 + e);
}

// Iteratively reweighted least squares. The linear predictor is in the span of the
// columns; the responses are the fractions y.
class Logistic {
 public:
  Logistic(const Columns& columns, const std::vector<double>& fractions,
           View<const double> weights)
      : columns_(columns),
        fractions_(fractions),
        weights_(weights),
        eta_(fractions.size()),
        mu_(fractions.size()) {
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      const double w = weight(i);
      mu_[i] = (w * fractions[i] + 0.5) / (w + 1.0);
      eta_[i] = std::log(mu_[i] / (1.0 - mu_[i]));
    }
  }

  double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }

  double deviance() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < fractions_.size(); ++i) {
      sum += weight(i) * deviance_of(fractions_[i], mu_[i]);
    }
    return sum;
  }

  // One step: weighted least squares of the working responses. Returns false if there is
  // no solution.
  bool solve(std::vector<double>& solution) const {
    const std::size_t rank = columns_.rank();
    const std::size_t rows = fractions_.size();
    std::vector<double> scaled(rows * rank);
    std::vector<double> response(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double derivative = mu_[i] * (1.0 - mu_[i]);
      response[i] = eta_[i] + (fractions_[i] - mu_[i]) / derivative;
    }
    for (std::size_t j = 0; j < rank; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        // The columns include the square roots of the weights already.
        scaled[j * rows + i] = columns_.column(j)[i] * std::sqrt(mu_[i] * (1.0 - mu_[i]));
      }
    }
    std::vector<double> gram(rank * rank, 0.0);
    dense::add_gram({scaled.data(), rows, rank}, gram.data());
    solution.assign(rank, 0.0);
    for (std::size_t j = 0; j < rank; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        solution[j] += columns_.column(j)[i] * root_of(weights_, i) * mu_[i] *
                       (1.0 - mu_[i]) * response[i];
      }
    }
    return dense::solve_positive(gram, solution);
  }

  // Sets the linear predictor. It is computed from f, because the columns are 0 for rows
  // of weight 0.
  void set(const std::vector<double>& beta, MatrixView<const double> f) {
    for (std::size_t i = 0; i < eta_.size(); ++i) {
      double eta = beta[0];
      for (std::size_t l = 0; l < f.cols(); ++l) {
        eta += beta[l + 1] * f(i, l);
      }
      eta_[i] = eta;
      mu_[i] = logistic_of(eta);
    }
  }

 private:
  const Columns& columns_;
  const std::vector<double>& fractions_;
  View<const double> weights_;
  std::vector<double> eta_;
  std::vector<double> mu_;
};

}  // namespace

LogisticFit fit_logistic(MatrixView<const double> f, View<const double> targets,
                         View<const double> weights) {
  LogisticFit fit;
  fit.beta.assign(f.cols() + 1, 0.0);
  for (const double target : targets) {
    fit.largest = std::max(fit.largest, target);
  }
  if (!(fit.largest > 0.0)) {
    return fit;
  }
  std::vector<double> fractions(targets.size());
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    fractions[i] = targets[i] / fit.largest;
  }
  const Columns columns(f, weights);
  Logistic logistic(columns, fractions, weights);
  double deviance = logistic.deviance();
  fit.converged = false;
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    std::vector<double> solution;
    if (!logistic.solve(solution)) {
      return fit;
    }
    fit.beta = columns.coefficients(solution);
    logistic.set(fit.beta, f);
    const double now = logistic.deviance();
    if (std::abs(now - deviance) / (std::abs(now) + 0.1) < kConverged) {
      fit.converged = true;
      return fit;
    }
    deviance = now;
  }
  return fit;
}

}  // namespace rankmix::calibrate
