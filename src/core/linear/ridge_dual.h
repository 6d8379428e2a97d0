// Ridge regression of fewer documents than features: the problem of core/linear/ridge.h,
// solved by the products of documents.
//
// Problem:   that of ridge_path(). Let A be the matrix of the documents of positive
//            weight, each with its features less their means and times the root of its
//            weight, and t their targets less the mean, times the same root.
// Algorithm: of all (A'A + penalty)^-1 A' t = A' (AA' + penalty)^-1 t the right side
//            needs a matrix of documents x documents only: with its eigenvectors U and
//            eigenvalues s, v = A' U diag(1 / (s + penalty)) U' t. AA' and A'A have the
//            same eigenvalues but for zeros, so that rank and degrees of freedom are
//            those of the other way.
// Cost:      n^2 times the values of a document for AA', some 9 n^3 for its eigenvectors,
//            and a pass over the features for all penalties; no matrix of p x p.
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

// The documents of positive weight, and their weights, which sum to 1.
struct RidgeDocuments {
  std::vector<std::uint32_t> rows;
  std::vector<double> fractions;
};

// Whether the products of documents are the smaller matrix by far. Below some number of
// features either is quick.
bool solves_by_documents(std::size_t documents, std::size_t features);

RidgePath ridge_by_documents(const Features& features, View<const double> targets,
                             const RidgeDocuments& documents,
                             View<const double> penalties, Host& host);

}  // namespace rankmix::linear
