// Predictions of a tree with linear models in its leaves.
#pragma once
#include <cstddef>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"
#include "core/tree/tree.h"

namespace rankmix::regress {

// The models of the leaves, as in ModelTree.
struct LeafModels {
  View<const int> begin;
  View<const int> feature;
  View<const double> weight;
};

// One prediction for each of `rows` rows.
void predict_model_tree(const tree::ForestView& forest, const LeafModels& models,
                        const Values& values, std::size_t rows, Host& host, double* out);

}  // namespace rankmix::regress
