// AdaBoost.MH with trees of +-1 votes.
//
// Problem:   a classifier f: x -> R^K whose largest component tells the grade.
// Given:     binned features, grades 0 .. K - 1, and weights of documents if they differ.
// Result:    f(x) = sum_t alpha_t h_t(x), h_t a tree, alpha_t > 0.
// Algorithm: in round t the tree is grown for a large edge gamma = sum w_il h_l(x_i)
// y_il;
//            alpha = 1/2 log((1 + gamma) / (1 - gamma)), and w_il is multiplied by
//            exp(-alpha h_l(x_i) y_il) and scaled to sum 1.
//            A leaf is split by the stump v phi(x), phi = +-1, with the largest edge in
//            excess of the leaf's best constant votes; its children vote v and -v. A tree
//            with two leaves is a decision stump. Where no stump beats the constant, the
//            tree is a single leaf with the best constant votes.
// Reference: Schapire & Singer 1999, doi:10.1023/A:1007614523901; Kegl & Busa-Fekete
// 2009.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/weights.h"
#include "core/data/bins.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

struct AdaBoostOptions {
  std::size_t rounds = 1000;
  std::size_t leaves = 2;
  WeightScheme weights = WeightScheme::kRelevance;
  double feature_share = 1.0;  // of the features, drawn anew for each round
  std::uint64_t seed = 0;
  void validate() const;
};

enum class Status {
  kLimit,   // all rounds were used
  kStalled  // the best tree of a round had no edge left
};

struct AdaBoostModel {
  tree::Forest forest;  // votes as leaf values
  std::vector<double> alpha;
  std::vector<double> edge;
  Status status = Status::kLimit;
};

AdaBoostModel fit_adaboost_mh(const data::BinnedMatrix& bins, View<const int> grades,
                              View<const double> document_weights, std::size_t classes,
                              const AdaBoostOptions& options, Host& host);

}  // namespace rankmix::boost
