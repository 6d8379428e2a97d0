#include "core/linear/ridge_krylov.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/optimize/shifted_systems.h"

namespace rankmix::linear {
namespace {

using optimize::Vector;

// The covariance matrix A of the features as an operator.
class Covariance {
 public:
  Covariance(const Features& features, const RidgeDocuments& documents, Host& host)
      : features_(features), host_(host), fractions_(features.rows(), 0.0) {
    for (std::size_t i = 0; i < documents.rows.size(); ++i) {
      fractions_[documents.rows[i]] = documents.fractions[i];
    }
    means_ = features_.multiply_transposed(fractions_, 1, host_);
  }

  const Vector& means() const { return means_; }

  Vector with(const Vector& of_documents) const {
    Vector values(of_documents.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = fractions_[i] * of_documents[i];
      sum += values[i];
    }
    Vector covariances = features_.multiply_transposed(values, 1, host_);
    optimize::add(-sum, means_, covariances);
    return covariances;
  }

  Vector times(const Vector& v) const {
    Vector scores;
    features_.multiply(v, 1, scores, host_);
    const double mean = optimize::dot(means_, v);
    for (double& score : scores) {
      score -= mean;
    }
    return with(scores);
  }

 private:
  const Features& features_;
  Host& host_;
  Vector fractions_;  // weights of all documents, which sum to 1
  Vector means_;      // of standardised features: rounding errors
};

Vector random_signs(std::size_t size, std::size_t probe) {
  Vector signs(size);
  for (std::size_t j = 0; j < size; ++j) {
    const bool up = (random_bits(0, Purpose::kSignFlip, probe, j) & 1) != 0;
    signs[j] = up ? 1.0 : -1.0;
  }
  return signs;
}

// The mean of u' (A + penalty)^-1 A u over vectors u of random signs is the trace.
std::vector<double> estimate_freedom(const Covariance& covariance, std::size_t inputs,
                                     const std::vector<double>& penalties, Host& host) {
  constexpr double tolerance = 1e-3;
  constexpr std::size_t max_steps = 100;
  std::vector<double> freedom(penalties.size(), 1.0);
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    const Vector signs = random_signs(inputs, probe);
    const optimize::ShiftedSolutions solved = optimize::solve_shifted(
        [&](const Vector& v) { return covariance.times(v); }, covariance.times(signs),
        penalties, {tolerance, max_steps}, host);
    for (std::size_t at = 0; at < penalties.size(); ++at) {
      freedom[at] += optimize::dot(signs, solved.x[at]) / static_cast<double>(kProbes);
    }
  }
  return freedom;
}

bool all_finite(const Vector& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

RidgePath ridge_by_products(const Features& features, View<const double> targets,
                            const RidgeDocuments& documents, View<const double> penalties,
                            bool freedom, Host& host) {
  const std::size_t inputs = features.inputs();
  double mean_target = 0.0;
  for (std::size_t i = 0; i < documents.rows.size(); ++i) {
    mean_target += documents.fractions[i] * targets[documents.rows[i]];
  }
  Vector centered(features.rows(), 0.0);
  for (std::uint32_t row : documents.rows) {
    centered[row] = targets[row] - mean_target;
  }
  const Covariance covariance(features, documents, host);
  const Vector with_target = covariance.with(centered);
  if (!std::isfinite(mean_target) || !all_finite(with_target) ||
      !all_finite(covariance.means())) {
    throw InvalidArgument("features and targets of a ridge must be finite");
  }
  const std::vector<double> shifts(penalties.begin(), penalties.end());
  const optimize::ShiftedSolutions solved = optimize::solve_shifted(
      [&](const Vector& v) { return covariance.times(v); }, with_target, shifts,
      {kRidgeTolerance, kMaxRidgeSteps}, host);
  RidgePath path;
  path.weights.resize(inputs * penalties.size());
  path.intercepts.assign(penalties.size(), mean_target);
  path.freedom = freedom ? estimate_freedom(covariance, inputs, shifts, host)
                         : std::vector<double>(shifts.size(),
                                               std::numeric_limits<double>::quiet_NaN());
  path.rank = inputs;
  path.status = optimize::Status::kConverged;
  const Scaling& scaling = features.scaling();
  for (std::size_t at = 0; at < penalties.size(); ++at) {
    if (solved.statuses[at] != optimize::Status::kConverged) {
      path.status = solved.statuses[at];
    }
    for (std::size_t j = 0; j < inputs; ++j) {
      const double scaled = solved.x[at][j];
      const double weight = scaled * scaling.factor[j];
      path.weights[at * inputs + j] = weight;
      path.intercepts[at] -= scaled * covariance.means()[j] + weight * scaling.center[j];
    }
  }
  return path;
}

}  // namespace rankmix::linear
