// Glue: calibration.
#include <Rcpp.h>

#include <map>
#include <memory>
#include <string>

#include "core/base/errors.h"
#include "core/calibrate/naive.h"
#include "core/calibrate/regression.h"
#include "core/calibrate/sigmoid.h"
#include "core/calibrate/soft_ndcg.h"
#include "host_parallel.h"
#include "views_r.h"

namespace {

namespace calibrate = rankmix::calibrate;

Rcpp::NumericVector as_vector(const calibrate::SigmoidTarget& target) {
  return Rcpp::NumericVector::create(Rcpp::Named("value") = target.value,
                                     Rcpp::Named("da") = target.da,
                                     Rcpp::Named("db") = target.db);
}

calibrate::SigmoidLoss loss_of(const std::string& name) {
  static const std::map<std::string, calibrate::SigmoidLoss> table = {
      {"log_sigmoid", calibrate::SigmoidLoss::kLogSigmoid},
      {"entropy_weighted", calibrate::SigmoidLoss::kEntropyWeighted},
      {"expected_loss", calibrate::SigmoidLoss::kExpectedLoss},
      {"expected_label_loss", calibrate::SigmoidLoss::kExpectedLabelLoss}};
  const auto entry = table.find(name);
  if (entry == table.end()) {
    throw rankmix::InvalidArgument("unknown target " + name);
  }
  return entry->second;
}

// Calls use() with the basis that an R list describes: of polynomials, with `lower`,
// `upper` and `degree`, or of kernels, with `centers` and `scale`.
template <class Use>
auto with_basis(const Rcpp::List& basis, const Use& use) {
  if (basis.containsElementNamed("centers")) {
    const Rcpp::NumericMatrix centers(basis["centers"]);
    const Rcpp::NumericVector scale(basis["scale"]);
    return use(calibrate::KernelBasis(rankmix::matrix_view(centers),
                                      rankmix::double_view(scale)));
  }
  const Rcpp::NumericVector lower(basis["lower"]);
  const Rcpp::NumericVector upper(basis["upper"]);
  return use(calibrate::PolynomialBasis(rankmix::double_view(lower),
                                        rankmix::double_view(upper),
                                        Rcpp::as<std::size_t>(basis["degree"])));
}

}  // namespace

// `weights` is empty where all documents weigh the same.
// [[Rcpp::export]]
Rcpp::NumericVector sigmoid_target(const std::string& loss, double exponent,
                                   const Rcpp::NumericMatrix& f,
                                   const Rcpp::IntegerVector& grades,
                                   const Rcpp::NumericVector& weights, double a, double b,
                                   int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return as_vector(calibrate::sigmoid_target(
        loss_of(loss), exponent, rankmix::matrix_view(f), rankmix::int_view(grades),
        rankmix::double_view(weights), a, b, host));
  });
}

// [[Rcpp::export]]
Rcpp::NumericVector soft_ndcg_target(double sigma, const Rcpp::NumericMatrix& f,
                                     const Rcpp::IntegerVector& grades,
                                     const Rcpp::NumericVector& weights,
                                     const Rcpp::IntegerVector& order,
                                     const Rcpp::IntegerVector& offsets,
                                     const Rcpp::NumericVector& ideal, double a, double b,
                                     int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    return as_vector(calibrate::soft_ndcg_target(
        sigma, rankmix::matrix_view(f), rankmix::int_view(grades),
        rankmix::double_view(weights), queries, rankmix::double_view(ideal), a, b, host));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix sigmoid_probabilities(const Rcpp::NumericMatrix& f, double a,
                                          double b, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    Rcpp::NumericMatrix out(f.nrow(), f.ncol());
    calibrate::sigmoid_probabilities(rankmix::matrix_view(f), a, b, host,
                                     rankmix::writable_view(out));
    return out;
  });
}

// Gram matrix and right side of least squares, see with_basis().
// [[Rcpp::export]]
Rcpp::List regression_equations(const Rcpp::List& basis, const Rcpp::NumericMatrix& f,
                                const Rcpp::NumericVector& targets,
                                const Rcpp::NumericVector& weights, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return with_basis(basis, [&](const calibrate::Basis& functions) {
      const calibrate::NormalEquations equations = calibrate::normal_equations(
          functions, rankmix::matrix_view(f), rankmix::double_view(targets),
          rankmix::double_view(weights), host);
      const int size = static_cast<int>(functions.size());
      return Rcpp::List::create(
          Rcpp::Named("gram") = Rcpp::NumericMatrix(size, size, equations.gram.begin()),
          Rcpp::Named("right") =
              Rcpp::NumericVector(equations.right.begin(), equations.right.end()));
    });
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector regression_values(const Rcpp::List& basis,
                                      const Rcpp::NumericMatrix& f,
                                      const Rcpp::NumericVector& coefficients,
                                      int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return with_basis(basis, [&](const calibrate::Basis& functions) {
      const std::vector<double> values = calibrate::regression_values(
          functions, rankmix::matrix_view(f), rankmix::double_view(coefficients), host);
      return Rcpp::NumericVector(values.begin(), values.end());
    });
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector naive_gains(const Rcpp::NumericMatrix& f, double range,
                                const Rcpp::NumericVector& gains) {
  return rankmix::guarded([&] {
    rankmix::RHost host(1, R_NilValue);
    Rcpp::NumericVector out(f.nrow());
    rankmix::calibrate::naive_scores(rankmix::matrix_view(f), range,
                                     rankmix::double_view(gains), host,
                                     {REAL(out), static_cast<std::size_t>(out.size())});
    return out;
  });
}
