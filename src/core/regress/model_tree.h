// Regression trees with linear models in their leaves.
//
// Problem:   a function F: x -> R with a small sum_i w_i (y_i - F(x_i))^2.
// Given:     documents with targets y_i and weights w_i, and a search for splits, by all
//            values or by bins.
// Result:    a binary tree; a leaf has a linear function of few features.
// Algorithm: a node is split where the fifth root of the variance falls most. Each inner
//            node gets a linear regression on the features that are tested in it or
//            below, of which some are dropped (selection.h); a leaf the mean. From below,
//            a node whose own model has no larger error than its subtree becomes a leaf,
//            where the root mean square is multiplied by (n + 2 v) / (n - v), with v
//            numbers to n documents. Then a leaf's model is smoothed with those of the
//            nodes above: (n p + 15 q) / (n + 15), n being the documents of the node
//            below.
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
  double min_split = 4.0;  // documents of a node that is split
  bool prune = true;
  bool smooth = true;
  void validate() const;
};

// A forest of one tree, whose leaves have the intercepts as their values, and the weights
// of the features of each leaf: those of leaf l are begin[l] .. begin[l + 1] - 1.
struct ModelTree {
  tree::Forest forest;
  std::vector<int> begin{0};
  std::vector<int> feature;
  std::vector<double> weight;
  std::vector<double> error;  // of each leaf, root mean square before smoothing
  double deviation = 0.0;     // of all targets
};

ModelTree grow_model_tree(const Documents& documents, NodeSearch& search,
                          const TreeOptions& options, Host& host);

}  // namespace rankmix::regress
