// Ridge regression for several penalties from one eigendecomposition.
//
// Problem:   min over v, b of sum_i w_i (y_i - b - z_i.v)^2 + penalty |v|^2, with scaled
//            features z. Document weights w_i are divided by their sum. So for
//            standardised features a penalty has the same meaning for any number of
//            documents and any units: a penalty of 1 halves the weight of a single
//            feature. The intercept b is not penalised. Penalty 0 is least squares with
//            the smallest |v|.
// Result:    weights and intercepts for unscaled features, and the effective degrees of
//            freedom, sum_i d fitted_i / d y_i.
// Algorithm: with eigenvectors U and eigenvalues s of the covariance matrix of the
//            features, and their covariances c with the targets,
//              v = U diag(1 / (s + penalty)) U' c.
//            Directions whose eigenvalue is a rounding error get the weight 0. So
//            constant features have weight 0, and copies of a feature share its weight.
//            With more than 1,024 features and fewer than half as many documents, the
//            matrix of products of documents is used: core/linear/ridge_dual.h. If the
//            smaller matrix has more than RidgeOptions::max_decomposed columns, no matrix
//            is formed: core/linear/ridge_krylov.h.
// Cost:      n p^2 / 2 for the matrix, about 9 p^3 for its eigenvectors, p^2 a penalty.
// Reference: Hoerl & Kennard 1970, doi:10.1080/00401706.1970.10488634; Hastie, Tibshirani
//            & Friedman 2009, The Elements of Statistical Learning, section 3.4.1.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/optimize/status.h"

namespace rankmix::linear {

// Eigenvalues below this fraction of the largest are treated as 0. The elements of the
// matrix are sums of many numbers, with errors of a few units of 2^-52 of the largest
// eigenvalue.
constexpr double kNoEigenvalue = 1e-12;

struct RidgePath {
  std::vector<double> weights;     // features x penalties, column-major
  std::vector<double> intercepts;  // one for each penalty
  std::vector<double> freedom;     // degrees of freedom, intercept included
  std::size_t rank = 0;            // number of nonzero eigenvalues
  optimize::Status status = optimize::Status::kStalled;  // if the decomposition failed
};

// Weighted moments of scaled features and targets.
struct RidgeMoments {
  double mean_target = 0.0;
  std::vector<double> means;        // of each feature
  std::vector<double> with_target;  // covariance of each feature with the target
  std::vector<double> covariance;   // features x features, lower triangle
};

// The ridge path depends on the documents only through these moments.
RidgePath ridge_of_moments(const RidgeMoments& moments, const Scaling& scaling,
                           View<const double> penalties, Host& host);

struct RidgeOptions {
  // The number of features of the data, including constant features that `features`
  // omits. The choice of the algorithm depends on this number, so that omitted features
  // do not change it.
  std::size_t columns = 0;
  // Eigenvectors of a larger matrix take minutes, and gigabytes.
  std::size_t max_decomposed = 2048;
  // Whether the degrees of freedom are wanted. Without eigenvalues, computing them takes
  // as long as computing the weights.
  bool freedom = true;
};

// `features` must not have a constant feature. If `weights` is empty, all are 1.
// Penalties are 0 or above, in any order.
RidgePath ridge_path(const Features& features, View<const double> targets,
                     View<const double> weights, View<const double> penalties, Host& host,
                     const RidgeOptions& options);
inline RidgePath ridge_path(const Features& features, View<const double> targets,
                            View<const double> weights, View<const double> penalties,
                            Host& host) {
  return ridge_path(features, targets, weights, penalties, host, {features.inputs()});
}

}  // namespace rankmix::linear
