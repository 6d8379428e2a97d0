#include "core/regress/grouped_ridge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/errors.h"
#include "core/linear/gram.h"

namespace rankmix::regress {
namespace {

// A variance is a difference of mean squares. Below this fraction of the mean squares,
// the variance is a rounding error.
constexpr double kNoVariance = 1e-11;

void check(const linear::Features& features, View<const int> group,
           View<const double> weights, const GroupedProblems& problems,
           View<const double> penalties) {
  auto impossible = [](double value) { return !(value >= 0.0) || std::isinf(value); };
  const std::size_t rows = features.rows();
  const std::size_t count = problems.weights.rows() * problems.weights.cols();
  if (!features.scaling().bias || group.size() != rows ||
      (!weights.empty() && weights.size() != rows) ||
      problems.targets.rows() * problems.targets.cols() != count ||
      std::any_of(weights.begin(), weights.end(), impossible) ||
      std::any_of(penalties.begin(), penalties.end(), impossible) ||
      std::any_of(group.begin(), group.end(), [&](int g) {
        return g < 0 || static_cast<std::size_t>(g) >= problems.weights.rows();
      })) {
    throw InvalidArgument("impossible groups, weights or penalties of a ridge");
  }
}

// Documents of positive weight, sorted by group, then by row.
struct Grouped {
  std::vector<std::uint32_t> rows;
  std::vector<double> roots;       // square roots of their weights
  std::vector<std::size_t> begin;  // of each group

  Grouped(View<const int> group, View<const double> weights, std::size_t groups)
      : begin(groups + 1, 0) {
    auto counts = [&](std::size_t i) { return weights.empty() || weights[i] > 0.0; };
    for (std::size_t i = 0; i < group.size(); ++i) {
      begin[static_cast<std::size_t>(group[i]) + 1] += counts(i) ? 1 : 0;
    }
    for (std::size_t g = 0; g < groups; ++g) {
      begin[g + 1] += begin[g];
    }
    rows.resize(begin[groups]);
    roots.resize(begin[groups]);
    std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (counts(i)) {
        const std::size_t to = at[static_cast<std::size_t>(group[i])]++;
        rows[to] = static_cast<std::uint32_t>(i);
        roots[to] = weights.empty() ? 1.0 : std::sqrt(weights[i]);
      }
    }
  }
};

struct Piece {
  std::size_t group;
  std::size_t begin;
  std::size_t end;
};

// Divides the documents into pieces of similar size, each within one group.
std::vector<Piece> pieces_of(const Grouped& documents) {
  constexpr std::size_t pieces = 16;
  constexpr std::size_t fewest = 1024;
  const std::size_t most = std::max(fewest, documents.rows.size() / pieces + 1);
  std::vector<Piece> all;
  for (std::size_t g = 0; g + 1 < documents.begin.size(); ++g) {
    for (std::size_t at = documents.begin[g]; at < documents.begin[g + 1]; at += most) {
      all.push_back({g, at, std::min(at + most, documents.begin[g + 1])});
    }
  }
  return all;
}

// The Gram matrix of features and bias column over each group: lower triangles, empty for
// groups without documents.
std::vector<std::vector<double>> products_of(const linear::Features& features,
                                             const Grouped& documents, Host& host) {
  const std::vector<Piece> pieces = pieces_of(documents);
  std::vector<std::vector<double>> parts(pieces.size());
  host.parallel_for(pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    const std::size_t count = piece.end - piece.begin;
    parts[i] = linear::gram_matrix(features, {documents.rows.data() + piece.begin, count},
                                   {documents.roots.data() + piece.begin, count});
  });
  std::vector<std::vector<double>> sums(documents.begin.size() - 1);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::vector<double>& sum = sums[pieces[i].group];
    if (sum.empty()) {
      sum = std::move(parts[i]);
    } else {
      std::transform(sum.begin(), sum.end(), parts[i].begin(), sum.begin(),
                     std::plus<>());
    }
    parts[i] = {};
  }
  return sums;
}

// The moments of one problem for features that are standardised with its weights, and the
// scaling of the features.
struct Standardised {
  linear::RidgeMoments moments;
  linear::Scaling scaling;
};

class Problem {
 public:
  Problem(const std::vector<std::vector<double>>& products, const double* weights,
          const double* targets, std::size_t columns)
      : products_(products), weights_(weights), targets_(targets), columns_(columns) {
    double with_target = 0.0;
    for (std::size_t g = 0; g < products_.size(); ++g) {
      total_ += weights_[g] * sum(g, columns_);
      with_target += weights_[g] * targets_[g] * sum(g, columns_);
    }
    if (!(total_ > 0.0) || !std::isfinite(total_) || !std::isfinite(with_target)) {
      throw InvalidArgument("a ridge needs documents with weights");
    }
    mean_target_ = with_target / total_;
  }

  Standardised standardised(const linear::Scaling& scaling) const {
    Standardised to{{mean_target_, std::vector<double>(columns_, 0.0),
                     std::vector<double>(columns_, 0.0),
                     std::vector<double>(columns_ * columns_, 0.0)},
                    scaling};
    const std::vector<double> squares = mean_products();
    std::vector<double> factor(columns_, 0.0);
    for (std::size_t j = 0; j < columns_; ++j) {
      const double mean = squares[j * inputs() + columns_];
      const double square = squares[j * inputs() + j];
      const double variance = square - mean * mean;
      factor[j] = variance > kNoVariance * square ? 1.0 / std::sqrt(variance) : 0.0;
      to.moments.means[j] = mean * factor[j];
      to.moments.with_target[j] = with_target(j) * factor[j];
      to.scaling.factor[j] *= factor[j];
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t i = j; i < columns_; ++i) {
        to.moments.covariance[j * columns_ + i] =
            squares[j * inputs() + i] * factor[i] * factor[j] -
            to.moments.means[i] * to.moments.means[j];
      }
    }
    if (!std::all_of(squares.begin(), squares.end(),
                     [](double value) { return std::isfinite(value); })) {
      throw InvalidArgument("features and targets of a ridge must be finite");
    }
    return to;
  }

 private:
  std::size_t inputs() const { return columns_ + 1; }
  // The sum of feature j over group g.
  double sum(std::size_t g, std::size_t j) const {
    return products_[g].empty() ? 0.0 : products_[g][j * inputs() + columns_];
  }
  double with_target(std::size_t j) const {
    double covariance = 0.0;
    for (std::size_t g = 0; g < products_.size(); ++g) {
      covariance += weights_[g] * (targets_[g] - mean_target_) * sum(g, j);
    }
    return covariance / total_;
  }
  std::vector<double> mean_products() const {
    std::vector<double> mean(inputs() * inputs(), 0.0);
    for (std::size_t g = 0; g < products_.size(); ++g) {
      const double fraction = weights_[g] / total_;
      for (std::size_t i = 0; i < products_[g].size(); ++i) {
        mean[i] += fraction * products_[g][i];
      }
    }
    return mean;
  }

  const std::vector<std::vector<double>>& products_;
  const double* weights_;
  const double* targets_;
  std::size_t columns_;
  double total_ = 0.0;
  double mean_target_ = 0.0;
};

}  // namespace

std::vector<linear::RidgePath> grouped_ridge(const linear::Features& features,
                                             View<const int> group,
                                             View<const double> weights,
                                             const GroupedProblems& problems,
                                             View<const double> penalties, Host& host) {
  check(features, group, weights, problems, penalties);
  const Grouped documents(group, weights, problems.weights.rows());
  host.checkpoint();
  const std::vector<std::vector<double>> products =
      products_of(features, documents, host);
  host.checkpoint();
  std::vector<linear::RidgePath> paths(problems.weights.cols());
  host.parallel_for(paths.size(), [&](std::size_t k) {
    const Standardised standardised =
        Problem(products, problems.weights.col(k), problems.targets.col(k),
                features.inputs() - 1)
            .standardised(features.scaling());
    paths[k] = linear::ridge_of_moments(standardised.moments, standardised.scaling,
                                        penalties, host);
  });
  return paths;
}

}  // namespace rankmix::regress
