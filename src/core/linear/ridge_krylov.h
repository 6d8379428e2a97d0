// Ridge regression for many features and many documents, by products with the features.
//
// Problem:   as ridge_path() in core/linear/ridge.h, if both of its matrices are too large.
// Algorithm: v solves (A + penalty) v = c, with the covariance matrix A of the features
//            and their covariances c with the targets. Conjugate gradients solve the
//            systems of all penalties with the same products, see
//            core/optimize/shifted_systems.h. The diagonal of A is constant for
//            standardised features, so a diagonal preconditioner would change nothing.
// Result:    |(A + penalty) v - c| is at most kRidgeTolerance |c|, unless the status is
//            kLimit. Then the steps ended earlier, which acts like a small penalty. The
//            degrees of freedom are tr A (A + penalty)^-1. The trace is estimated by
//            random signs (Hutchinson). The standard error is at most sqrt(2 freedom /
//            kProbes).
// Cost:      two passes over the features for each step. Memory: two numbers for each
//            feature and penalty.
// Reference: Hutchinson 1990, doi:10.1080/03610919008812866.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/linear/ridge.h"
#include "core/linear/ridge_dual.h"

namespace rankmix::linear {

constexpr double kRidgeTolerance = 1e-8;
constexpr std::size_t kMaxRidgeSteps = 500;
// Random sign vectors for the degrees of freedom.
constexpr std::size_t kProbes = 2;

// If `freedom` is false, the degrees of freedom are NaN.
RidgePath ridge_by_products(const Features& features, View<const double> targets,
                            const RidgeDocuments& documents, View<const double> penalties,
                            bool freedom, Host& host);

}  // namespace rankmix::linear
