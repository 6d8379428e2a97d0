// Ridge regression by the products of documents, for more features than documents.
//
// Problem:   as ridge_path() in core/linear/ridge.h. Row i of the matrix A has the
//            features of document i minus their means, times the square root of its
//            weight. t has the targets minus their mean, times the same square roots.
//            Only documents of positive weight count.
// Algorithm: (A'A + penalty)^-1 A' t = A' (AA' + penalty)^-1 t, whose right side needs
//            only a matrix of documents x documents. With its eigenvectors U and
//            eigenvalues s, v = A' U diag(1 / (s + penalty)) U' t. AA' and A'A have the
//            same nonzero eigenvalues, so rank and degrees of freedom are the same.
// Cost:      n^2 times the values of a document for AA', about 9 n^3 for its
//            eigenvectors, and one pass over the features for all penalties. There is no
//            p x p matrix.
// Reference: Saunders, Gammerman & Vovk 1998, Ridge regression learning algorithm in dual
//            variables (ICML 15).
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/linear/ridge.h"

namespace rankmix::linear {

// The documents of positive weight, and their weights divided by the sum.
struct RidgeDocuments {
  std::vector<std::uint32_t> rows;
  std::vector<double> fractions;
};

// True if the matrix of documents is much smaller. With few features, both methods are
// fast.
bool solves_by_documents(std::size_t documents, std::size_t features);

RidgePath ridge_by_documents(const Features& features, View<const double> targets,
                             const RidgeDocuments& documents,
                             View<const double> penalties, Host& host);

}  // namespace rankmix::linear
