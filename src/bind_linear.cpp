// Glue: linear models.
#include "bind_linear.h"

#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bind_objective.h"
#include "core/data/stored_values.h"
#include "core/linear/objective_path.h"
#include "core/linear/ridge.h"
#include "core/objective/evaluate.h"
#include "core/regress/grouped_ridge.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace linear = rankmix::linear;

rankmix::McsvmFit::McsvmFit(const Rcpp::RObject& matrix,
                            const Rcpp::IntegerVector& grades,
                            const Rcpp::NumericVector& weights, std::size_t count,
                            linear::ScalingRule rule, bool bias, Host& host)
    : x(matrix), weights_of_rows(weights), classes(count) {
  if (!x.isS4()) {
    x = Rcpp::NumericMatrix(matrix);  // converts other numbers to doubles
  }
  with_features(x, [&](const auto& view) {
    scaling = linear::find_scaling(view, rule, host, double_view(weights));
    scaling.bias = bias;
    features = linear::features_of(view, scaling);
  });
  machine = std::make_unique<linear::Mcsvm>(*features, int_view(grades),
                                            double_view(weights), classes);
}

namespace {

linear::ScalingRule rule_of(const std::string& name) {
  if (name == "standard") {
    return linear::ScalingRule::kStandard;
  }
  return name == "maximum" ? linear::ScalingRule::kMaximum : linear::ScalingRule::kNone;
}

// Weights for unscaled features and the intercept of each class. `largest` is the largest
// magnitude of a discriminant.
Rcpp::List to_r(const linear::McsvmModel& model, const linear::Scaling& scaling,
                std::size_t classes, double largest) {
  const std::size_t columns = scaling.factor.size();
  Rcpp::NumericMatrix weights(static_cast<int>(columns), static_cast<int>(classes));
  Rcpp::NumericVector intercept(static_cast<R_xlen_t>(classes));
  for (std::size_t k = 0; k < classes; ++k) {
    double shift = scaling.bias ? model.weights[columns * classes + k] : 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double weight = model.weights[j * classes + k] * scaling.factor[j];
      weights(static_cast<int>(j), static_cast<int>(k)) = weight;
      shift -= weight * scaling.center[j];
    }
    intercept[static_cast<R_xlen_t>(k)] = shift;
  }
  return Rcpp::List::create(
      Rcpp::Named("weights") = weights, Rcpp::Named("intercept") = intercept,
      Rcpp::Named("primal") = model.primal, Rcpp::Named("dual") = model.dual,
      Rcpp::Named("steps") = static_cast<int>(model.steps),
      Rcpp::Named("status") = rankmix::optimize::name_of(model.status),
      Rcpp::Named("range") = largest);
}

// The scale of each feature, 1 / factor; 0 for constant features.
Rcpp::NumericVector scale_of(const linear::Scaling& scaling) {
  Rcpp::NumericVector scale(scaling.factor.begin(), scaling.factor.end());
  for (double& unit : scale) {
    unit = unit > 0.0 ? 1.0 / unit : 0.0;
  }
  return scale;
}

// Calls use(features, columns). If most columns of a sparse matrix have no entries,
// `features` has only the others and `columns` lists them. Otherwise `features` has all
// columns and `columns` is empty.
template <class Use>
Rcpp::List with_stored(rankmix::MatrixView<const double> x, const Use& use) {
  return use(x, std::vector<std::size_t>());
}
template <class Use>
Rcpp::List with_stored(const rankmix::SparseView& x, const Use& use) {
  const rankmix::data::StoredColumns stored(x);
  const bool many_empty = 2 * stored.columns().size() < x.cols();
  return many_empty && !stored.columns().empty() ? use(stored.view(), stored.columns())
                                                 : use(x, std::vector<std::size_t>());
}

// Expands numbers of the kept columns (features x problems) to `all` features; omitted
// features get 0.
template <class Numbers>
Rcpp::NumericVector of_all_columns(const Numbers& numbers,
                                   const std::vector<std::size_t>& columns,
                                   std::size_t all) {
  if (columns.empty()) {
    return Rcpp::NumericVector(numbers.begin(), numbers.end());
  }
  const auto size = static_cast<std::size_t>(numbers.size());
  Rcpp::NumericVector result(static_cast<R_xlen_t>(size / columns.size() * all));
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = i / columns.size() * all + columns[i % columns.size()];
    result[static_cast<R_xlen_t>(at)] =
        *(numbers.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return result;
}

// Converts a path: one column or one element for each step.
Rcpp::List to_r(const std::vector<linear::ObjectiveStep>& path,
                const linear::Scaling& scaling) {
  const std::size_t columns = scaling.factor.size();
  const auto count = static_cast<R_xlen_t>(path.size());
  Rcpp::NumericMatrix weights(static_cast<int>(columns), static_cast<int>(count));
  Rcpp::NumericVector value(count);
  Rcpp::NumericVector gap(count);
  Rcpp::IntegerVector steps(count);
  Rcpp::IntegerVector products(count);
  Rcpp::CharacterVector status(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const linear::ObjectiveStep& step = path[static_cast<std::size_t>(i)];
    std::copy(step.weights.begin(), step.weights.end(),
              weights.begin() + i * static_cast<R_xlen_t>(columns));
    value[i] = step.value;
    gap[i] = step.gap;
    steps[i] = static_cast<int>(step.steps);
    products[i] = static_cast<int>(step.products);
    status[i] = rankmix::optimize::name_of(step.status);
  }
  return Rcpp::List::create(
      Rcpp::Named("weights") = weights, Rcpp::Named("value") = value,
      Rcpp::Named("gap") = gap, Rcpp::Named("steps") = steps,
      Rcpp::Named("products") = products, Rcpp::Named("status") = status,
      Rcpp::Named("scale") = scale_of(scaling));
}

template <class Matrix>
Rcpp::NumericMatrix products_of(const Matrix& x, const Rcpp::NumericMatrix& weights,
                                const Rcpp::NumericVector& intercept,
                                rankmix::Host& host) {
  const std::size_t classes = static_cast<std::size_t>(weights.ncol());
  const std::size_t columns = x.cols();
  linear::Scaling scaling{std::vector<double>(columns, 0.0),
                          std::vector<double>(columns, 1.0), true};
  // Row-major: the weights of a feature are adjacent; intercepts are last.
  std::vector<double> by_feature((columns + 1) * classes);
  const rankmix::MatrixView<const double> of_class = rankmix::matrix_view(weights);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      by_feature[j * classes + k] = of_class(j, k);
    }
    by_feature[columns * classes + k] = intercept[static_cast<R_xlen_t>(k)];
  }
  std::vector<double> products;
  linear::features_of(x, std::move(scaling))
      ->multiply(by_feature, classes, products, host);
  auto out = rankmix::new_matrix<Rcpp::NumericMatrix>(x.rows(), classes);
  const rankmix::MatrixView<double> to = rankmix::writable_view(out);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      to(i, k) = products[i * classes + k];
    }
  }
  return out;
}

}  // namespace

// Creates a support vector machine. If `weights` is empty, all documents have equal
// weights.
// [[Rcpp::export(rng = false)]]
McsvmPointer mcsvm_start(const Rcpp::RObject& x, const Rcpp::IntegerVector& grades,
                         const Rcpp::NumericVector& weights, int classes,
                         const std::string& scale, bool bias, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return McsvmPointer(new rankmix::McsvmFit(x, grades, weights,
                                              static_cast<std::size_t>(classes),
                                              rule_of(scale), bias, host));
  });
}

// Solves for one cost, starting at the solution of the previous call. `range` is the
// largest magnitude of a discriminant on the training data.
// [[Rcpp::export(rng = false)]]
Rcpp::List mcsvm_solve(McsvmPointer fit, double cost, double tolerance, int max_steps,
                       int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    linear::McsvmOptions options;
    options.cost = cost;
    options.tolerance = tolerance;
    options.max_steps = static_cast<std::size_t>(max_steps);
    const linear::McsvmModel model = fit->machine->solve(options, host);
    std::vector<double> products;
    fit->features->multiply(model.weights, fit->classes, products, host);
    // Documents of weight 0 must not affect the range.
    const rankmix::View<const double> weights =
        rankmix::double_view(fit->weights_of_rows);
    double largest = 0.0;
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (weights.empty() || weights[i / fit->classes] > 0.0) {
        largest = std::max(largest, std::abs(products[i]));
      }
    }
    return to_r(model, fit->scaling, fit->classes, largest);
  });
}

// Discriminants, documents x classes. `weights` is features x classes.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix linear_predict(const Rcpp::RObject& x,
                                   const Rcpp::NumericMatrix& weights,
                                   const Rcpp::NumericVector& intercept, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(
        x, [&](const auto& view) { return products_of(view, weights, intercept, host); });
  });
}

// The minimum and maximum of each feature, and the number of rows with only zeros.
// [[Rcpp::export(rng = false)]]
Rcpp::List feature_ranges(const Rcpp::RObject& x, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(x, [&](const auto& view) {
      const linear::Ranges ranges = linear::find_ranges(view, host);
      return Rcpp::List::create(
          Rcpp::Named("least") = ranges.least, Rcpp::Named("most") = ranges.most,
          Rcpp::Named("zero_rows") = static_cast<double>(ranges.zero_rows));
    });
  });
}

// Ridge regressions for several penalties. Features are standardised with `weights`; if
// `weights` is empty, all documents have equal weights. Returns results for unscaled
// features: weights (features x penalties), and for each penalty the intercept and the
// effective degrees of freedom. The degrees of freedom may be NaN if `freedom` is false.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_ridge_path(const Rcpp::RObject& x, const Rcpp::NumericVector& targets,
                             const Rcpp::NumericVector& weights,
                             const Rcpp::NumericVector& penalties, int threads,
                             bool freedom = true) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(x, [&](const auto& whole) {
      const std::size_t all = whole.cols();
      linear::RidgeOptions options;
      options.columns = all;
      options.freedom = freedom;
      return with_stored(whole, [&](const auto& view, const auto& columns) {
        const rankmix::View<const double> of_rows = rankmix::double_view(weights);
        const auto features = linear::features_of(
            view,
            linear::find_scaling(view, linear::ScalingRule::kStandard, host, of_rows));
        const linear::RidgePath path =
            linear::ridge_path(*features, rankmix::double_view(targets), of_rows,
                               rankmix::double_view(penalties), host, options);
        Rcpp::NumericVector of_features = of_all_columns(path.weights, columns, all);
        of_features.attr("dim") =
            Rcpp::Dimension(all, static_cast<std::size_t>(penalties.size()));
        return Rcpp::List::create(
            Rcpp::Named("weights") = of_features,
            Rcpp::Named("intercept") = path.intercepts,
            Rcpp::Named("freedom") = path.freedom,
            Rcpp::Named("rank") = static_cast<int>(path.rank),
            Rcpp::Named("scale") =
                of_all_columns(scale_of(features->scaling()), columns, all),
            Rcpp::Named("status") = rankmix::optimize::name_of(path.status));
      });
    });
  });
}

// Ridge regressions whose targets and weights depend on the group of a document. Indices
// in `group` count from 0. `times` (factors of the weights) and `targets` are groups x
// problems. Returns weights for unscaled features, features x penalties x problems, and
// intercepts and degrees of freedom, penalties x problems.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_grouped_path(const Rcpp::RObject& x, const Rcpp::IntegerVector& group,
                               const Rcpp::NumericVector& weights,
                               const Rcpp::NumericMatrix& times,
                               const Rcpp::NumericMatrix& targets,
                               const Rcpp::NumericVector& penalties, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(x, [&](const auto& view) {
      const rankmix::View<const double> of_rows = rankmix::double_view(weights);
      linear::Scaling scaling =
          linear::find_scaling(view, linear::ScalingRule::kStandard, host, of_rows);
      scaling.bias = true;
      const auto features = linear::features_of(view, std::move(scaling));
      const auto groups = static_cast<std::size_t>(times.nrow());
      const auto problems = static_cast<std::size_t>(times.ncol());
      const std::vector<linear::RidgePath> paths = rankmix::regress::grouped_ridge(
          *features, rankmix::int_view(group), of_rows,
          {{times.begin(), groups, problems}, {targets.begin(), groups, problems}},
          rankmix::double_view(penalties), host);
      const R_xlen_t steps = penalties.size();
      const auto columns = static_cast<R_xlen_t>(view.cols());
      Rcpp::NumericVector all(columns * steps * times.ncol());
      Rcpp::NumericMatrix intercept(static_cast<int>(steps), times.ncol());
      Rcpp::NumericMatrix freedom(static_cast<int>(steps), times.ncol());
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const auto at = static_cast<R_xlen_t>(k) * steps;
        std::copy(paths[k].weights.begin(), paths[k].weights.end(),
                  all.begin() + at * columns);
        std::copy(paths[k].intercepts.begin(), paths[k].intercepts.end(),
                  intercept.begin() + at);
        std::copy(paths[k].freedom.begin(), paths[k].freedom.end(), freedom.begin() + at);
      }
      return Rcpp::List::create(Rcpp::Named("weights") = all,
                                Rcpp::Named("intercept") = intercept,
                                Rcpp::Named("freedom") = freedom,
                                Rcpp::Named("scale") = scale_of(features->scaling()));
    });
  });
}

// Linear models of an objective for several costs. Features are standardised with
// `weights` of rows; if `weights` is empty, all rows have equal weights. `documents` has
// the data of DocumentsOfR. The returned weights are for unscaled features, features x
// costs.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_objective_path(const Rcpp::RObject& x, const Rcpp::List& objective,
                                 const Rcpp::List& documents,
                                 const Rcpp::NumericVector& weights,
                                 const Rcpp::NumericVector& costs, double tolerance,
                                 int threads, const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    const rankmix::DocumentsOfR known(documents);
    const rankmix::objective::Documents view = known.view();
    linear::PathOptions options;
    options.tolerance = tolerance;
    return rankmix::with_features(x, [&](const auto& matrix) {
      const auto features = linear::features_of(
          matrix, linear::find_scaling(matrix, linear::ScalingRule::kStandard, host,
                                       rankmix::double_view(weights)));
      const rankmix::View<const double> all = rankmix::double_view(costs);
      const bool hinge = Rcpp::as<std::string>(objective["name"]) == "pairwise" &&
                         Rcpp::as<std::string>(objective["loss"]) == "hinge";
      return to_r(
          hinge ? linear::hinge_path(*features, view, rankmix::pair_options(objective),
                                     all, options, host)
                : linear::objective_path(*features, view,
                                         *rankmix::make_objective(objective), all,
                                         options, host),
          features->scaling());
    });
  });
}
