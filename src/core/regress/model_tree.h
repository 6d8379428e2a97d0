// Regression trees with linear models in their leaves.
//
// Problem:   a function F: x -> R with a small sum_i w_i (y_i - F(x_i))^2.
// Given:     documents with targets y_i and weights w_i, and a search for splits, over
//            all values or over bins.
// Result:    a binary tree; each leaf has a linear function of few features.
// Algorithm: a node gets the split with the largest decrease of the fifth root of the
//            variance. Each inner node gets a linear regression on the features that are
//            tested in it or below, some of which are dropped (selection.h). A leaf gets
//            the mean. Then, from the bottom up, a node becomes a leaf if the error of
//            its own model is not larger than the error of its subtree. Errors are root
//            mean squares times (n + 2 v) / (n - v), where v is the number of
//            coefficients and n the number of documents. Finally the model of a leaf is
//            smoothed with the models of the nodes above it: (n p + 15 q) / (n + 15),
//            where p is the model so far, q the model of the parent, and n the number of
//            documents in the node below that parent.
// Reference: Quinlan 1992; Wang & Witten 1997; behaves as Weka's M5P.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/regress/documents.h"
#include "core/regress/node_search.h"
#include "core/tree/tree.h"

namespace rankmix::regress {

struct TreeOptions {
  double min_split = 4.0;  // least number of documents in a node that is split
  bool prune = true;
  bool smooth = true;
  void validate() const;
};

// A forest of one tree. The values of its leaves are the intercepts of their models. Leaf
// l has the features and weights begin[l] .. begin[l + 1] - 1.
struct ModelTree {
  tree::Forest forest;
  std::vector<int> begin{0};
  std::vector<int> feature;
  std::vector<double> weight;
  std::vector<double> error;  // of each leaf: root mean square before smoothing
  double deviation = 0.0;     // standard deviation of all targets
};

ModelTree grow_model_tree(const Documents& documents, NodeSearch& search,
                          const TreeOptions& options, Host& host);

}  // namespace rankmix::regress
