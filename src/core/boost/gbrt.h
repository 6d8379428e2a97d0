// Gradient boosted regression trees for squared error.
//
// Problem:   a function F: x -> R with a small sum_i w_i (y_i - F(x_i))^2.
// Given:     binned features, targets y_i, weights w_i of documents if they differ.
// Result:    F(x) = mean of y + step sum_t h_t(x), h_t regression trees.
// Algorithm: tree t is grown on the residuals y_i - F(x_i), the split with the largest
//            drop of squared error first; a leaf's value is the mean residual of its
//            rows.
// Reference: Friedman 2001, doi:10.1214/aos/1013203451.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/draw.h"
#include "core/boost/residuals.h"
#include "core/data/bins.h"
#include "core/tree/documents.h"
#include "core/tree/grow.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

struct GbrtOptions : DrawOptions {
  tree::Limits limits{31};
  double step = 0.1;
  double least_documents = 1.0;              // in a leaf, of positive weight
  Precision precision = Precision::kSingle;  // of the residuals in the search
  void validate() const;
};

struct GbrtModel {
  tree::Forest forest;   // leaf values are mean residuals
  double start = 0.0;    // the mean of the targets
  bool stalled = false;  // nothing was left to split
};

class Gbrt {
 public:
  // `bins` must outlive it. Weights of documents may be empty: all are 1.
  Gbrt(const data::BinnedMatrix& bins, View<const double> targets,
       View<const double> weights, const GbrtOptions& options, Host& host);
  // Takes over the trees of a model that was trained on the same data with the same
  // options: the residuals come out as they were, bit for bit. Throws InvalidArgument
  // where the model splits at what is no threshold of these data, or has other leaves.
  void replay(const GbrtModel& model, Host& host);
  // Adds so many trees; fewer where a tree finds nothing to split. `total` is for the
  // progress.
  void run(std::size_t trees, std::size_t total, Host& host);
  const GbrtModel& model() const { return model_; }
  double step() const { return options_.step; }

 private:
  bool add_tree(Host& host);
  tree::GrownTree grow(const tree::Sample& sample, Host& host);
  bool keeps_sums(const tree::Sample& sample) const;

  const data::BinnedMatrix& bins_;
  GbrtOptions options_;
  tree::Counted counted_;
  std::unique_ptr<Residuals> residuals_;
  tree::Grower grower_;
  GbrtModel model_;
};

}  // namespace rankmix::boost
