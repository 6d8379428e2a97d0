// Ridge regressions whose targets and weights depend only on the group of a document, all
// of them in one pass over the documents.
//
// Problem:   for each of several problems with weights a_g and targets y_g of the groups
//            g, min over v, b of sum_i w_i a_g(i) (y_g(i) - b - z_i.v)^2 + penalty |v|^2,
//            as in linear/ridge.h: weights are divided by their sum, and features are
//            standardised with the weights of the problem.
// Algorithm: compute the sums, and the sums of products, of the features over the
//            documents of each group. For a problem, these sums are added with the
//            weights a_g. A problem then costs as much as the eigenvectors of one matrix,
//            for any number of documents.
// Cost:      n p^2 / 2 once; about 9 p^3 per problem, and p^2 per penalty.
// Memory:    p^2 numbers for each group and for each of some pieces of the documents.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/linear/ridge.h"

namespace rankmix::regress {

// Both matrices are groups x problems.
struct GroupedProblems {
  MatrixView<const double> weights;
  MatrixView<const double> targets;
};

// `features` must include a bias column. `group` counts from 0. Empty `weights` of
// documents: all are 1. Returns a solution for each problem, in terms of the features
// before standardisation.
std::vector<linear::RidgePath> grouped_ridge(const linear::Features& features,
                                             View<const int> group,
                                             View<const double> weights,
                                             const GroupedProblems& problems,
                                             View<const double> penalties, Host& host);

}  // namespace rankmix::regress
