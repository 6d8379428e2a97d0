// Ridge regressions whose targets and weights depend on the group of a document alone,
// all of them by one pass over the documents.
//
// Problem:   for each of several problems with weights a_g and targets y_g of the groups
//            g, min over v, b of sum_i w_i a_g(i) (y_g(i) - b - z_i.v)^2 + penalty |v|^2,
//            as in linear/ridge.h: weights divided by their sum, features standardised by
//            the weights of the problem.
// Algorithm: sums, and sums of products, of the features over the documents of each
// group;
//            those of a problem are their sums times a_g. A problem then costs what the
//            eigenvectors of a matrix cost, whatever the number of documents.
// Cost:      n p^2 / 2 once; some 9 p^3 a problem, p^2 a penalty.
// Memory:    p^2 numbers for each group and for each of some pieces of the documents.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/linear/ridge.h"

namespace rankmix::regress {

// Both groups x problems.
struct GroupedProblems {
  MatrixView<const double> weights;
  MatrixView<const double> targets;
};

// `features` with a constant one; `group` counts from 0; `weights` of the documents may
// be empty: all are 1. A solution for each problem, for the features as they are.
std::vector<linear::RidgePath> grouped_ridge(const linear::Features& features,
                                             View<const int> group,
                                             View<const double> weights,
                                             const GroupedProblems& problems,
                                             View<const double> penalties, Host& host);

}  // namespace rankmix::regress
