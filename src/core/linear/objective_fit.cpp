#include "core/linear/objective_fit.h"

#include <algorithm>
#include <utility>

#include "core/objective/evaluate.h"
#include "core/optimize/linear_loss.h"
#include "core/optimize/newton.h"

namespace rankmix::linear {
namespace {

using optimize::Vector;

// With more unknowns, a decomposition costs more than it saves.
constexpr std::size_t kMaxDecomposed = 512;
// Maximum size of the sample's features, 16 MB.
constexpr std::size_t kMaxSampled = std::size_t{1} << 21;

// Stores the last gradient, for FitState.
class FittedLoss : public optimize::LinearLossFunction {
 public:
  using LinearLossFunction::LinearLossFunction;
  double evaluate(Vector& gradient) override {
    const double value = LinearLossFunction::evaluate(gradient);
    gradient_ = gradient;
    return value;
  }
  const Vector& gradient() const { return gradient_; }

 private:
  Vector gradient_;
};

double evaluate_times(const objective::Objective& on,
                      const objective::Documents& documents, double cost,
                      const Vector& scores, Vector& gradients, Host& host) {
  const double value = objective::evaluate(on, documents, scores, host,
                                           {{gradients.data(), gradients.size()}, {}});
  for (double& gradient : gradients) {
    gradient *= cost;
  }
  return cost * value;
}

}  // namespace

ObjectiveFit::ObjectiveFit(const Features& features,
                           const objective::Documents& documents)
    : features_(features), documents_(documents), weights_(features.inputs(), 0.0) {
  if (features.inputs() > 0 && features.inputs() <= kMaxDecomposed) {
    choose_sample();
  }
}

// Takes every n-th query of positive weight.
void ObjectiveFit::choose_sample() {
  std::vector<int> counting;
  std::size_t all = 0;
  for (std::size_t q = 0; q < documents_.queries.count(); ++q) {
    if (documents_.query_weights.empty() || documents_.query_weights[q] > 0.0) {
      counting.push_back(static_cast<int>(q));
      all += documents_.queries.rows_of(q).size();
    }
  }
  const std::size_t most = kMaxSampled / features_.inputs();
  const std::size_t every = std::max<std::size_t>(1, (all + most - 1) / most);
  for (std::size_t i = every / 2; i < counting.size(); i += every) {
    sample_.push_back(counting[i]);
    for (int row : documents_.queries.rows_of(static_cast<std::size_t>(counting[i]))) {
      sample_rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }
  if (sample_rows_.empty()) {
    return;
  }
  times_ = static_cast<double>(all) / static_cast<double>(sample_rows_.size());
  // A decomposition passes over the sample once for each feature. A product passes over
  // all documents, and a Newton step needs several products.
  constexpr double fewest = 6.0;
  constexpr double fraction = 0.25;
  max_products_ = static_cast<std::size_t>(
      std::max(fewest, fraction * static_cast<double>(features_.inputs()) / times_));
}

void ObjectiveFit::decompose(const objective::Objective& on, const Vector& scores,
                             Host& host) {
  const std::size_t inputs = features_.inputs();
  // Row-major: the numbers of a row are adjacent.
  std::vector<double> products(sample_rows_.size() * inputs);
  std::vector<std::size_t> first{0};
  for (int q : sample_) {
    first.push_back(first.back() +
                    documents_.queries.rows_of(static_cast<std::size_t>(q)).size());
  }
  host.parallel_for(sample_.size(), [&](std::size_t i) {
    const std::size_t count = first[i + 1] - first[i];
    const std::vector<double> ones(count, 1.0);
    std::vector<double> packed(count * inputs);
    std::vector<double> curved(count * inputs);
    features_.pack({sample_rows_.data() + first[i], count}, ones, packed.data());
    objective::multiply_hessian_of_query(
        on, documents_, scores, static_cast<std::size_t>(sample_[i]),
        {packed.data(), count, inputs}, {curved.data(), count, inputs});
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t j = 0; j < inputs; ++j) {
        products[(first[i] + k) * inputs + j] = curved[j * count + k];
      }
    }
  });
  host.checkpoint();
  std::vector<double> hessian =
      features_.subset(sample_rows_)->multiply_transposed(products, inputs, host);
  host.checkpoint();
  spectrum_ = dense::spectrum_of(hessian, inputs, host);
  for (double& value : spectrum_.values) {
    value = std::max(0.0, times_ * value);
  }
}

Vector ObjectiveFit::precondition(double cost, const Vector& v) const {
  const std::size_t inputs = v.size();
  const MatrixView<const double> vectors(spectrum_.vectors.data(), inputs, inputs);
  Vector along = dense::multiply_transposed(vectors, v);
  for (std::size_t k = 0; k < inputs; ++k) {
    along[k] /= 1.0 + cost * spectrum_.values[k];
  }
  return dense::multiply(vectors, along);
}

optimize::Descent ObjectiveFit::minimise(const objective::Objective& on,
                                         const FitOptions& fit, Host& host,
                                         const FunctionRef<bool(const FitState&)>& stop) {
  const double cost = fit.cost;
  optimize::LinearLoss parts;
  parts.multiply = [&](const Vector& v) {
    Vector scores;
    features_.multiply(v, 1, scores, host);
    return scores;
  };
  parts.multiply_transposed = [&](const Vector& gradients) {
    return features_.multiply_transposed(gradients, 1, host);
  };
  parts.loss = [&](const Vector& scores, Vector& gradients) {
    return evaluate_times(on, documents_, cost, scores, gradients, host);
  };
  parts.penalty = 1.0;
  FittedLoss function(std::move(parts), weights_);
  const optimize::Operator curve = [&](const Vector& u) {
    Vector product(u.size(), 0.0);
    objective::multiply_hessian(on, documents_, function.products(), u, host,
                                {product.data(), product.size()});
    for (double& number : product) {
      number *= cost;
    }
    return product;
  };
  std::size_t products = 0;  // in the last step
  const optimize::Operator hessian = [&](const Vector& v) {
    ++products;
    return function.hessian_times(v, curve);
  };
  optimize::Operator preconditioner;
  if (!sample_rows_.empty()) {
    preconditioner = [&](const Vector& v) {
      return spectrum_.found ? precondition(cost, v) : v;
    };
  }
  optimize::NewtonOptions options;
  options.descent.tolerance = 0.0;
  options.descent.max_steps = fit.max_steps;
  // If most pairs can satisfy the margin, imprecise directions make pairs alternate
  // between satisfied and violated for many steps.
  options.loosest = 0.01;
  options.max_products = 1000;
  // Evaluations along a line are cheap, so the line search may be precise.
  options.descent.line.curvature = 0.1;
  options.descent.line.rounding = fit.rounding;
  double enough = 0.0;
  if (sample_rows_.empty() && fit.enough) {
    options.enough = [&] { return enough; };
  }
  const optimize::Descent result = optimize::minimise_newton(
      function, hessian, options, host,
      [&](const optimize::Descent& descent) {
        if (stop({descent, function.point(), function.gradient(), function.products()})) {
          return true;
        }
        enough = fit.enough ? fit.enough(descent.value) : 0.0;
        if (!sample_rows_.empty() && (!spectrum_.found || products > max_products_)) {
          decompose(on, function.products(), host);
        }
        products = 0;
        return false;
      },
      preconditioner);
  weights_ = function.point();
  return result;
}

}  // namespace rankmix::linear
