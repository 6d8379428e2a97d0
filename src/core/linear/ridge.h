// Ridge regression for a path of penalties, of one decomposition.
//
// Problem:   min over v, b of sum_i w_i (y_i - b - z_i.v)^2 + penalty |v|^2, the features
// z
//            as their scaling makes them. The weights of the documents are divided by
//            their sum, so that with standardised features a penalty means the same for
//            any number of documents and any units: 1 halves the weight of a lone
//            feature. The intercept b is not penalised. Penalty 0 is least squares; of
//            all solutions the one of least |v|.
// Result:    weights and intercepts for the features as they are, and the effective
// degrees
//            of freedom: how much the fitted values move with the targets, sum_i d
//            fitted_i / d y_i.
// Algorithm: the eigenvectors U and eigenvalues s of the covariance matrix of the
// features:
//            v = U diag(1 / (s + penalty)) U' c, for their covariances c with the
//            targets. What has no eigenvalue but rounding errors has no weight, so that
//            constant features have none and copies share theirs.
//            Of more features than twice the documents, and more than 1024, the products
//            of documents are the smaller matrix: core/linear/ridge_dual.h.
// Cost:      n p^2 / 2 for the matrix, some 9 p^3 for its eigenvectors, p^2 a penalty.
// Reference: Hoerl & Kennard 1970, doi:10.1080/00401706.1970.10488634; Hastie, Tibshirani
// &
//            Friedman 2009, The Elements of Statistical Learning, section 3.4.1.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/optimize/status.h"

namespace rankmix::linear {

struct RidgePath {
  std::vector<double> weights;     // features x penalties, column by column
  std::vector<double> intercepts;  // of each penalty, as are
  std::vector<double> freedom;     // the degrees of freedom, with the intercept's 1
  std::size_t rank = 0;            // how many eigenvalues are not 0
  optimize::Status status = optimize::Status::kStalled;  // no eigenvectors were found
};

// Weighted moments of features, as their scaling makes them, and targets.
struct RidgeMoments {
  double mean_target = 0.0;
  std::vector<double> means;        // of the features
  std::vector<double> with_target;  // covariances
  std::vector<double> covariance;   // of the features; its lower half
};

// The moments are all that is needed of the documents.
RidgePath ridge_of_moments(const RidgeMoments& moments, const Scaling& scaling,
                           View<const double> penalties);

// `features` without a constant one. `weights` may be empty: all are 1. Penalties are 0
// or above, in any order. `columns` are those of the data, where features that are
// constant are left out, which have no weight: the way to solve goes by them.
RidgePath ridge_path(const Features& features, View<const double> targets,
                     View<const double> weights, View<const double> penalties, Host& host,
                     std::size_t columns);
inline RidgePath ridge_path(const Features& features, View<const double> targets,
                            View<const double> weights, View<const double> penalties,
                            Host& host) {
  return ridge_path(features, targets, weights, penalties, host, features.inputs());
}

}  // namespace rankmix::linear
