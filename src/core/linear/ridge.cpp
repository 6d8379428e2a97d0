#include "core/linear/ridge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/linear/gram.h"
#include "core/linear/ridge_dual.h"
#include "core/linear/ridge_krylov.h"

namespace rankmix::linear {
namespace {

void check_numbers(const Features& features, View<const double> targets,
                   View<const double> weights, View<const double> penalties) {
  auto impossible = [](double value) { return !(value >= 0.0) || std::isinf(value); };
  if (features.scaling().bias || targets.size() != features.rows() ||
      (!weights.empty() && weights.size() != features.rows())) {
    throw InvalidArgument("features, targets and weights of a ridge do not fit");
  }
  if (std::any_of(weights.begin(), weights.end(), impossible) ||
      std::any_of(penalties.begin(), penalties.end(), impossible)) {
    throw InvalidArgument("weights and penalties of a ridge must be finite, 0 or above");
  }
}

struct Documents : RidgeDocuments {
  Documents(std::size_t count, View<const double> weights) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double weight = weights.empty() ? 1.0 : weights[i];
      if (weight > 0.0) {
        rows.push_back(static_cast<std::uint32_t>(i));
        fractions.push_back(weight);
        total += weight;
      }
    }
    if (rows.empty() || !std::isfinite(total)) {
      throw InvalidArgument("a ridge needs documents with weights");
    }
    for (double& fraction : fractions) {
      fraction /= total;
    }
  }
};

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

// Each part has its own matrix, so memory allows few parts if there are many features.
std::size_t part_count(std::size_t inputs) {
  constexpr std::size_t most = 8;
  constexpr std::size_t fewest = 2;
  constexpr std::size_t all_inputs = 4096;
  return std::min(most, std::max(fewest, all_inputs / std::max<std::size_t>(1, inputs)));
}

std::vector<double> second_moments(const Features& features, const Documents& documents,
                                   Host& host) {
  const std::size_t count = documents.rows.size();
  std::vector<double> roots(count);
  std::transform(documents.fractions.begin(), documents.fractions.end(), roots.begin(),
                 [](double fraction) { return std::sqrt(fraction); });
  std::vector<std::vector<double>> parts(part_count(features.inputs()));
  host.parallel_for(parts.size(), [&](std::size_t part) {
    const std::size_t begin = count * part / parts.size();
    const std::size_t rows = count * (part + 1) / parts.size() - begin;
    parts[part] = gram_matrix(features, {documents.rows.data() + begin, rows},
                              {roots.data() + begin, rows});
  });
  for (std::size_t part = 1; part < parts.size(); ++part) {
    std::transform(parts[0].begin(), parts[0].end(), parts[part].begin(),
                   parts[0].begin(), std::plus<>());
  }
  return std::move(parts[0]);
}

RidgeMoments find_moments(const Features& features, View<const double> targets,
                          const Documents& documents, Host& host) {
  RidgeMoments moments;
  const std::size_t count = documents.rows.size();
  moments.mean_target =
      sum_over_blocks<double>(host, count, [&](std::size_t begin, std::size_t end) {
        double sum = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
          sum += documents.fractions[i] * targets[documents.rows[i]];
        }
        return sum;
      });
  if (features.inputs() == 0) {
    return moments;
  }
  // Two columns: the weights, and the weights times the centered targets.
  std::vector<double> values(2 * features.rows(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = documents.rows[i];
    values[2 * row] = documents.fractions[i];
    values[2 * row + 1] = documents.fractions[i] * (targets[row] - moments.mean_target);
  }
  const std::vector<double> sums = features.multiply_transposed(values, 2, host);
  const std::size_t inputs = features.inputs();
  for (std::size_t j = 0; j < inputs; ++j) {
    moments.means.push_back(sums[2 * j]);
    moments.with_target.push_back(sums[2 * j + 1]);
  }
  // Subtracts the products of the means. For standardised features these are rounding
  // errors.
  moments.covariance = second_moments(features, documents, host);
  for (std::size_t j = 0; j < inputs; ++j) {
    for (std::size_t i = 0; i < inputs; ++i) {
      moments.covariance[j * inputs + i] -= moments.means[i] * moments.means[j];
    }
  }
  if (!std::isfinite(moments.mean_target) || !all_finite(moments.with_target) ||
      !all_finite(moments.covariance)) {
    throw InvalidArgument("features and targets of a ridge must be finite");
  }
  return moments;
}

}  // namespace

RidgePath ridge_of_moments(const RidgeMoments& moments, const Scaling& scaling,
                           View<const double> penalties, Host& host) {
  const std::size_t inputs = moments.means.size();
  RidgePath path;
  path.weights.assign(inputs * penalties.size(), 0.0);
  path.intercepts.assign(penalties.size(), moments.mean_target);
  path.freedom.assign(penalties.size(), 1.0);
  path.status = optimize::Status::kConverged;
  if (inputs == 0) {
    return path;
  }
  const dense::Spectrum spectrum = dense::spectrum_of(moments.covariance, inputs, host);
  if (!spectrum.found) {
    path.status = optimize::Status::kStalled;
    return path;
  }
  const std::vector<double>& values = spectrum.values;
  std::size_t first = 0;  // eigenvalues increase
  while (first < inputs &&
         !(values[first] > 0.0 && values[first] > kNoEigenvalue * values[inputs - 1])) {
    ++first;
  }
  path.rank = inputs - first;
  const View<const double> kept(values.data() + first, path.rank);
  const MatrixView<const double> vectors(spectrum.vectors.data() + first * inputs, inputs,
                                         path.rank);
  const std::vector<double> along =
      dense::multiply_transposed(vectors, moments.with_target);
  std::vector<double> fractions(path.rank);
  std::vector<double> shrunk(path.rank);
  for (std::size_t at = 0; at < penalties.size(); ++at) {
    for (std::size_t k = 0; k < path.rank; ++k) {
      fractions[k] = kept[k] / (kept[k] + penalties[at]);
      shrunk[k] = along[k] / (kept[k] + penalties[at]);
    }
    const std::vector<double> scaled = dense::multiply(vectors, shrunk);
    path.freedom[at] += dense::sum(fractions);
    path.intercepts[at] -= dense::dot(scaled, moments.means);
    for (std::size_t j = 0; j < inputs; ++j) {
      const double weight = scaled[j] * scaling.factor[j];
      path.weights[at * inputs + j] = weight;
      path.intercepts[at] -= weight * scaling.center[j];
    }
  }
  return path;
}

RidgePath ridge_path(const Features& features, View<const double> targets,
                     View<const double> weights, View<const double> penalties, Host& host,
                     const RidgeOptions& options) {
  check_numbers(features, targets, weights, penalties);
  const Documents documents(features.rows(), weights);
  host.checkpoint();
  const std::size_t count = documents.rows.size();
  const bool by_documents = solves_by_documents(count, options.columns);
  if ((by_documents ? count : options.columns) > options.max_decomposed) {
    return ridge_by_products(features, targets, documents, penalties, options.freedom,
                             host);
  }
  if (by_documents) {
    return ridge_by_documents(features, targets, documents, penalties, host);
  }
  const RidgeMoments moments = find_moments(features, targets, documents, host);
  host.checkpoint();
  return ridge_of_moments(moments, features.scaling(), penalties, host);
}

}  // namespace rankmix::linear
