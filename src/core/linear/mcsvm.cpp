#include "core/linear/mcsvm.h"

// The core starts no threads, whatever the compiler is told.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/linear/simplex.h"

namespace rankmix::linear {
namespace {

constexpr std::size_t kMostClasses = 31;
// Up to so many unknowns the Newton system is solved by factors.
constexpr std::size_t kMostDirect = 2048;
// A Gram matrix of more rows is estimated from a regular sample of them.
constexpr std::size_t kMostCurved = 32768;
constexpr std::size_t kGramRows = 512;
constexpr std::size_t kGramParts = 4;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool several(std::uint32_t bits) { return (bits & (bits - 1)) != 0; }

std::size_t checked_classes(std::size_t classes) {
  if (classes < 2 || classes > kMostClasses) {
    throw InvalidArgument("the number of grades must be between 2 and 31");
  }
  return classes;
}

std::size_t bit_count(std::uint32_t bits) {
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    ++count;
  }
  return count;
}

}  // namespace

void McsvmOptions::validate() const {
  if (!(cost > 0.0) || !std::isfinite(cost) || !(tolerance > 0.0) || most_steps < 1) {
    throw InvalidArgument("impossible options of mcsvm");
  }
}

Mcsvm::Sums& Mcsvm::Sums::operator+=(const Sums& other) {
  loss += other.loss;
  smoothed += other.smoothed;
  dual += other.dual;
  slope += other.slope;
  return *this;
}

Mcsvm::Mcsvm(const Features& features, View<const int> grades, View<const double> weights,
             std::size_t classes)
    : features_(features),
      classes_(classes),
      grades_(grades.begin(), grades.end()),
      weights_of_(weights.begin(), weights.end()),
      weights_(features.inputs() * checked_classes(classes), 0.0),
      products_(features.rows() * classes, 0.0),
      duals_(features.rows() * classes, 0.0),
      centers_(features.rows() * classes, 0.0),
      supports_(features.rows(), 0U) {
  if (std::any_of(grades.begin(), grades.end(), [&](int grade) {
        return grade < 0 || static_cast<std::size_t>(grade) >= classes;
      })) {
    throw InvalidArgument("a grade is not among the classes");
  }
  if (grades.size() != features.rows() ||
      (!weights.empty() && weights.size() != features.rows())) {
    throw InvalidArgument("grades, weights and features differ in the number of rows");
  }
}

Mcsvm::Sums Mcsvm::look(double cost, double delta, const std::vector<double>& along,
                        double t, Host& host) {
  const std::size_t classes = classes_;
  auto look_at = [&](std::size_t i, Sums& sums) {
    const std::size_t grade = grades_[i];
    const double c = cost * weight(i);
    const double* z = products_.data() + i * classes;
    const double* center = centers_.data() + i * classes;
    const double* d = along.empty() ? nullptr : along.data() + i * classes;
    double margins[kMostClasses + 1];
    double scaled[kMostClasses + 1];
    double a[kMostClasses + 1];
    double most = -1e300;
    for (std::size_t m = 0; m < classes; ++m) {
      margins[m] = z[m] + (d == nullptr ? 0.0 : t * d[m]) + (m == grade ? 0.0 : 1.0);
      most = std::max(most, margins[m]);
    }
    for (std::size_t m = 0; m < classes; ++m) {
      // A shift changes nothing but rounding.
      scaled[m] = center[m] + (margins[m] - most) / delta;
    }
    project_to_simplex(scaled, classes, a);
    const double own = margins[grade];
    double linear = 0.0;
    double square = 0.0;
    double slope = d == nullptr ? 0.0 : -d[grade];
    std::uint32_t support = 0;
    for (std::size_t m = 0; m < classes; ++m) {
      linear += a[m] * margins[m];
      square += (a[m] - center[m]) * (a[m] - center[m]);
      slope += d == nullptr ? 0.0 : a[m] * d[m];
      support |= a[m] > 0.0 ? std::uint32_t{1} << m : 0U;
      duals_[i * classes + m] = c * (a[m] - (m == grade ? 1.0 : 0.0));
    }
    supports_[i] = support;
    sums.loss += c * (most - own);
    sums.smoothed += c * (linear - own - 0.5 * delta * square);
    sums.dual += c * (1.0 - a[grade]);
    sums.slope += c * slope;
  };
  return sum_over_blocks<Sums>(host, features_.rows(),
                               [&](std::size_t begin, std::size_t end) {
                                 Sums sums;
                                 for (std::size_t i = begin; i < end; ++i) {
                                   look_at(i, sums);
                                 }
                                 return sums;
                               });
}

// At the weights as they are, where look() has just found these sums.
Mcsvm::Point Mcsvm::measure(const Sums& sums, Host& host) const {
  Point point;
  point.gradient = features_.multiply_transposed(duals_, classes_, host);
  const double square = dot(weights_, weights_);
  point.primal = 0.5 * square + sums.loss;
  point.dual = sums.dual - 0.5 * dot(point.gradient, point.gradient);
  point.smoothed = 0.5 * square + sums.smoothed;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    point.gradient[i] += weights_[i];
  }
  point.gap_of_gradient = 0.5 * dot(point.gradient, point.gradient);
  point.gap_of_smoothing = point.primal - point.dual - point.gap_of_gradient;
  return point;
}

std::vector<std::uint32_t> Mcsvm::curved_rows(Host& host) const {
  std::vector<std::vector<std::uint32_t>> found(block_count(supports_.size()));
  for_each_block(host, supports_.size(), RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     if (several(supports_[i])) {
                       found[block].push_back(static_cast<std::uint32_t>(i));
                     }
                   }
                 });
  std::vector<std::uint32_t> rows;
  for (const auto& part : found) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

// The matrix is I + sum over pairs of classes (e_k - e_l)(e_k - e_l)' times the Gram
// matrix of the documents with both in their support S, each times c_i C / (delta |S|).
// What all classes have in common is in no gradient: adding the mean Gram matrix to all
// blocks changes no solution, but without it the system would be as good as singular.
// Empty where it is so all the same.
std::vector<double> Mcsvm::solve_directly(double cost, double delta,
                                          const std::vector<std::uint32_t>& curved,
                                          double times,
                                          const std::vector<double>& gradient,
                                          Host& host) {
  using Matrix = Eigen::MatrixXd;
  const std::size_t inputs = features_.inputs();
  const auto p = static_cast<Eigen::Index>(inputs);
  struct Pair {
    std::size_t k;
    std::size_t l;
    std::vector<std::uint32_t> rows;
    std::vector<double> factors;
  };
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t l = k + 1; l < classes_; ++l) {
      Pair pair{k, l, {}, {}};
      const std::uint32_t both = (std::uint32_t{1} << k) | (std::uint32_t{1} << l);
      for (std::uint32_t row : curved) {
        if ((supports_[row] & both) == both) {
          const auto size = static_cast<double>(bit_count(supports_[row]));
          pair.rows.push_back(row);
          pair.factors.push_back(std::sqrt(times * cost * weight(row) / (delta * size)));
        }
      }
      if (!pair.rows.empty()) {
        pairs.push_back(std::move(pair));
      }
    }
  }
  std::vector<Matrix> grams(pairs.size() * kGramParts);
  host.parallel_for(grams.size(), [&](std::size_t task) {
    const Pair& pair = pairs[task / kGramParts];
    const std::size_t part = task % kGramParts;
    const std::size_t count = pair.rows.size();
    const std::size_t end = count * (part + 1) / kGramParts;
    Matrix gram = Matrix::Zero(p, p);
    std::vector<double> packed(kGramRows * inputs);
    for (std::size_t first = count * part / kGramParts; first < end; first += kGramRows) {
      const std::size_t rows = std::min(kGramRows, end - first);
      features_.pack({pair.rows.data() + first, rows},
                     {pair.factors.data() + first, rows}, packed.data());
      const Eigen::Map<const Matrix> block(packed.data(), static_cast<Eigen::Index>(rows),
                                           p);
      gram.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    }
    grams[task] = std::move(gram);
  });
  const auto unknowns = p * static_cast<Eigen::Index>(classes_);
  Matrix system = Matrix::Identity(unknowns, unknowns);
  Matrix common = Matrix::Zero(p, p);
  for (std::size_t task = 0; task < grams.size(); ++task) {
    const Matrix gram = grams[task].selfadjointView<Eigen::Lower>();
    const auto k = static_cast<Eigen::Index>(pairs[task / kGramParts].k);
    const auto l = static_cast<Eigen::Index>(pairs[task / kGramParts].l);
    system.block(k * p, k * p, p, p) += gram;
    system.block(l * p, l * p, p, p) += gram;
    system.block(l * p, k * p, p, p) -= gram;  // the lower half is enough
    common += gram / static_cast<double>(classes_);
  }
  for (Eigen::Index k = 0; k < unknowns; k += p) {
    for (Eigen::Index l = 0; l <= k; l += p) {
      system.block(k, l, p, p) += common;
    }
  }
  Eigen::VectorXd right(unknowns);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    right[static_cast<Eigen::Index>(i % classes_ * inputs + i / classes_)] = -gradient[i];
  }
  const Eigen::LLT<Matrix> factors(system);
  if (factors.info() != Eigen::Success) {
    return {};
  }
  const Eigen::VectorXd solution = factors.solve(right);
  std::vector<double> direction(gradient.size());
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] =
        solution[static_cast<Eigen::Index>(i % classes_ * inputs + i / classes_)];
  }
  return direction;
}

// Conjugate gradients on the rows with curvature.
std::vector<double> Mcsvm::solve_iteratively(double cost, double delta,
                                             const std::vector<std::uint32_t>& curved,
                                             double times,
                                             const std::vector<double>& gradient,
                                             Host& host) {
  constexpr std::size_t most = 250;
  constexpr double enough = 1e-2;
  const std::unique_ptr<Features> rows = features_.subset(curved);
  std::vector<double> products;
  auto multiply = [&](const std::vector<double>& v) {
    rows->multiply(v, classes_, products, host);
    for (std::size_t i = 0; i < curved.size(); ++i) {
      const std::uint32_t support = supports_[curved[i]];
      double* u = products.data() + i * classes_;
      double mean = 0.0;
      for (std::size_t k = 0; k < classes_; ++k) {
        mean += (support >> k & 1U) != 0 ? u[k] : 0.0;
      }
      mean /= static_cast<double>(bit_count(support));
      const double factor = times * cost * weight(curved[i]) / delta;
      for (std::size_t k = 0; k < classes_; ++k) {
        u[k] = (support >> k & 1U) != 0 ? factor * (u[k] - mean) : 0.0;
      }
    }
    std::vector<double> product = rows->multiply_transposed(products, classes_, host);
    for (std::size_t i = 0; i < v.size(); ++i) {
      product[i] += v[i];
    }
    return product;
  };
  std::vector<double> solution(gradient.size(), 0.0);
  std::vector<double> residual(gradient.size());
  std::transform(gradient.begin(), gradient.end(), residual.begin(),
                 [](double g) { return -g; });
  std::vector<double> search = residual;
  double square = dot(residual, residual);
  const double stop = square * enough * enough;
  for (std::size_t step = 0; step < most && square > stop; ++step) {
    host.checkpoint();
    const std::vector<double> product = multiply(search);
    const double length = square / dot(search, product);
    for (std::size_t i = 0; i < solution.size(); ++i) {
      solution[i] += length * search[i];
      residual[i] -= length * product[i];
    }
    const double next = dot(residual, residual);
    for (std::size_t i = 0; i < solution.size(); ++i) {
      search[i] = residual[i] + next / square * search[i];
    }
    square = next;
  }
  return solution;
}

std::vector<double> Mcsvm::newton_direction(double cost, double delta,
                                            const std::vector<double>& gradient,
                                            Host& host) {
  std::vector<std::uint32_t> curved = curved_rows(host);
  const std::size_t every = (curved.size() + kMostCurved - 1) / kMostCurved;
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < curved.size(); i += std::max<std::size_t>(1, every)) {
    sample.push_back(curved[i]);
  }
  const double times = sample.empty() ? 1.0
                                      : static_cast<double>(curved.size()) /
                                            static_cast<double>(sample.size());
  std::vector<double> direction;
  if (gradient.size() <= kMostDirect) {
    direction = solve_directly(cost, delta, sample, times, gradient, host);
  }
  return direction.empty() ? solve_iteratively(cost, delta, sample, times, gradient, host)
                           : direction;
}

// Goes as far along the direction as lowers the smoothed objective enough. Nothing if no
// step does: rounding is all that is left.
std::optional<Mcsvm::Sums> Mcsvm::step_along(double cost, double delta, const Point& at,
                                             const std::vector<double>& direction,
                                             Host& host) {
  constexpr double enough = 1e-4;
  constexpr int most = 30;
  std::vector<double> along;
  features_.multiply(direction, classes_, along, host);
  const double slope = dot(at.gradient, direction);
  const double straight = dot(weights_, direction);
  const double square = dot(direction, direction);
  double t = 1.0;
  Sums sums;
  for (int i = 0;; ++i) {
    if (i == most) {
      return {};
    }
    sums = look(cost, delta, along, t, host);
    const double value = sums.smoothed + 0.5 * dot(weights_, weights_) + t * straight +
                         0.5 * t * t * square;
    if (value <= at.smoothed + enough * t * slope) {
      break;
    }
    // Where a parabola through both slopes is lowest.
    const double slope_there = sums.slope + straight + t * square;
    const double lowest = slope_there > slope ? -slope / (slope_there - slope) : 0.5;
    t *= std::min(0.5, std::max(0.05, lowest));
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i] += t * direction[i];
  }
  for_each_block(host, features_.rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin * classes_; i < end * classes_; ++i) {
                     products_[i] += t * along[i];
                   }
                 });
  return sums;
}

// To the duals of the last look.
void Mcsvm::move_centers(double cost, Host& host) {
  for_each_block(host, features_.rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const double c = cost * weight(i);
                     for (std::size_t m = 0; c > 0.0 && m < classes_; ++m) {
                       centers_[i * classes_ + m] =
                           duals_[i * classes_ + m] / c + (m == grades_[i] ? 1.0 : 0.0);
                     }
                   }
                 });
}

McsvmModel Mcsvm::solve(const McsvmOptions& options, Host& host) {
  options.validate();
  // Margins differ by about 1. With centers from another cost less smoothing is needed.
  double delta = started_ ? 0.2 : 1.0;
  started_ = true;
  constexpr double fast = 0.2;
  constexpr double slow = 0.5;
  constexpr double enough = 0.3;         // for the minimum of a smoothed problem
  constexpr double least_delta = 1e-12;  // of margins, whose rounding errors it nears
  // The gap is more than what is lacking to the minimum, but not by orders of magnitude.
  constexpr double aim = 0.1;
  McsvmModel model;
  std::optional<Sums> sums = look(options.cost, delta, {}, 0.0, host);
  while (sums) {
    host.checkpoint();
    const Point point = measure(*sums, host);
    if (point.primal < model.primal) {
      model.primal = point.primal;
      model.weights = weights_;
    }
    model.dual = std::max(model.dual, point.dual);
    if (model.primal - model.dual <= aim * options.tolerance * model.primal ||
        model.steps == options.most_steps || delta < least_delta) {
      break;
    }
    if (point.gap_of_gradient <= enough * point.gap_of_smoothing) {
      move_centers(options.cost, host);
      delta *= delta > 0.5 ? fast : slow;
      sums = look(options.cost, delta, {}, 0.0, host);
      continue;
    }
    const std::vector<double> direction =
        newton_direction(options.cost, delta, point.gradient, host);
    sums = step_along(options.cost, delta, point, direction, host);
    ++model.steps;
  }
  if (model.primal - model.dual <= options.tolerance * model.primal) {
    model.status = SolverStatus::kConverged;
  } else if (model.steps < options.most_steps) {
    model.status = SolverStatus::kStalled;
  }
  return model;
}

}  // namespace rankmix::linear
