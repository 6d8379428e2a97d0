#include "core/linear/ridge_dual.h"

#include <algorithm>
#include <cmath>

#include "core/base/dense.h"
#include "core/base/errors.h"

namespace rankmix::linear {
namespace {

constexpr std::size_t kManyFeatures = 1024;

// Number of documents whose products with all others are computed at once. A strip has
// one number for each of these documents and each feature.
std::size_t strip_width(std::size_t inputs) {
  constexpr std::size_t max_values = std::size_t{1} << 23;
  return std::min<std::size_t>(64, std::max<std::size_t>(4, max_values / inputs));
}

class Documents {
 public:
  Documents(const Features& features, const RidgeDocuments& documents, Host& host)
      : features_(features), rows_(documents.rows), host_(host) {
    std::vector<double> fractions(features.rows(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      roots_.push_back(std::sqrt(documents.fractions[i]));
      fractions[rows_[i]] = documents.fractions[i];
    }
    means_ = features.multiply_transposed(fractions, 1, host);
  }

  std::size_t count() const { return rows_.size(); }
  const std::vector<double>& roots() const { return roots_; }
  const std::vector<double>& means() const { return means_; }

  // A' values. `values` is count x columns and row-major, the result inputs x columns.
  std::vector<double> transposed_times(const std::vector<double>& values,
                                       std::size_t columns) const {
    std::vector<double> spread(features_.rows() * columns, 0.0);
    std::vector<double> sums(columns, 0.0);
    for (std::size_t i = 0; i < count(); ++i) {
      for (std::size_t c = 0; c < columns; ++c) {
        const double value = roots_[i] * values[i * columns + c];
        spread[rows_[i] * columns + c] = value;
        sums[c] += value;
      }
    }
    std::vector<double> out = features_.multiply_transposed(spread, columns, host_);
    for (std::size_t j = 0; j < means_.size(); ++j) {
      for (std::size_t c = 0; c < columns; ++c) {
        out[j * columns + c] -= means_[j] * sums[c];
      }
    }
    return out;
  }

  // AA', column-major. All elements are filled, although only the lower triangle is read.
  std::vector<double> products() const {
    const std::size_t n = count();
    std::vector<double> all(n * n);
    const std::size_t width = strip_width(means_.size());
    std::vector<double> each;
    for (std::size_t first = 0; first < n; first += width) {
      host_.checkpoint();
      const std::size_t columns = std::min(width, n - first);
      std::vector<double> unit(n * columns, 0.0);
      for (std::size_t c = 0; c < columns; ++c) {
        unit[(first + c) * columns + c] = 1.0;
      }
      const std::vector<double> strip = transposed_times(unit, columns);
      std::vector<double> with_means(columns, 0.0);
      for (std::size_t j = 0; j < means_.size(); ++j) {
        for (std::size_t c = 0; c < columns; ++c) {
          with_means[c] += means_[j] * strip[j * columns + c];
        }
      }
      features_.multiply(strip, columns, each, host_);
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t i = 0; i < n; ++i) {
          all[(first + c) * n + i] =
              roots_[i] * (each[rows_[i] * columns + c] - with_means[c]);
        }
      }
    }
    return all;
  }

 private:
  const Features& features_;
  const std::vector<std::uint32_t>& rows_;
  Host& host_;
  std::vector<double> roots_;
  std::vector<double> means_;
};

void check_finite(const std::vector<double>& values) {
  if (!std::all_of(values.begin(), values.end(),
                   [](double value) { return std::isfinite(value); })) {
    throw InvalidArgument("features and targets of a ridge must be finite");
  }
}

}  // namespace

bool solves_by_documents(std::size_t documents, std::size_t features) {
  return features > kManyFeatures && 2 * documents < features;
}

RidgePath ridge_by_documents(const Features& features, View<const double> targets,
                             const RidgeDocuments& given, View<const double> penalties,
                             Host& host) {
  const Documents documents(features, given, host);
  const std::size_t n = documents.count();
  const std::size_t inputs = features.inputs();
  const std::size_t steps = penalties.size();
  double mean_target = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    mean_target += given.fractions[i] * targets[given.rows[i]];
  }
  std::vector<double> centered(n);
  for (std::size_t i = 0; i < n; ++i) {
    centered[i] = documents.roots()[i] * (targets[given.rows[i]] - mean_target);
  }
  const std::vector<double> products = documents.products();
  check_finite(products);
  check_finite(centered);
  RidgePath path;
  path.weights.assign(inputs * steps, 0.0);
  path.intercepts.assign(steps, mean_target);
  path.freedom.assign(steps, 1.0);
  host.checkpoint();
  const dense::Spectrum spectrum = dense::spectrum_of(products, n, host);
  if (!spectrum.found) {
    return path;
  }
  path.status = optimize::Status::kConverged;
  const std::vector<double>& values = spectrum.values;
  std::size_t first = 0;  // eigenvalues increase
  while (first < n &&
         !(values[first] > 0.0 && values[first] > kNoEigenvalue * values[n - 1])) {
    ++first;
  }
  path.rank = n - first;
  const MatrixView<const double> vectors(spectrum.vectors.data() + first * n, n,
                                         path.rank);
  const std::vector<double> along = dense::multiply_transposed(vectors, centered);
  std::vector<double> dual(n * steps);
  std::vector<double> shrunk(path.rank);
  for (std::size_t at = 0; at < steps; ++at) {
    for (std::size_t k = 0; k < path.rank; ++k) {
      const double value = values[first + k];
      path.freedom[at] += value / (value + penalties[at]);
      shrunk[k] = along[k] / (value + penalties[at]);
    }
    const std::vector<double> column = dense::multiply(vectors, shrunk);
    for (std::size_t i = 0; i < n; ++i) {
      dual[i * steps + at] = column[i];
    }
  }
  const std::vector<double> scaled = documents.transposed_times(dual, steps);
  const Scaling& scaling = features.scaling();
  for (std::size_t at = 0; at < steps; ++at) {
    for (std::size_t j = 0; j < inputs; ++j) {
      const double own = scaled[j * steps + at];
      const double weight = own * scaling.factor[j];
      path.weights[at * inputs + j] = weight;
      path.intercepts[at] -= own * documents.means()[j] + weight * scaling.center[j];
    }
  }
  return path;
}

}  // namespace rankmix::linear
