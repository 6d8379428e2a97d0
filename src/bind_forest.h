// Conversion of tree ensembles between R and the core.
#pragma once
#include <Rcpp.h>

#include <vector>

#include "bind_data.h"
#include "core/tree/predict_binned.h"
#include "core/tree/running_sums.h"
#include "core/tree/tree.h"
#include "views_r.h"

namespace rankmix {

// Only forests with splits on factors store levels of nodes.
inline Rcpp::List to_r(const tree::Forest& forest) {
  Rcpp::List of_r = Rcpp::List::create(
      Rcpp::Named("outputs") = static_cast<int>(forest.outputs),
      Rcpp::Named("round_begin") = forest.round_begin,
      Rcpp::Named("node_begin") = forest.node_begin,
      Rcpp::Named("leaf_begin") = forest.leaf_begin,
      Rcpp::Named("feature") = forest.feature,
      Rcpp::Named("threshold") = forest.threshold,
      Rcpp::Named("missing_left") = forest.missing_left,
      Rcpp::Named("left") = forest.left, Rcpp::Named("right") = forest.right,
      Rcpp::Named("values") = forest.values, Rcpp::Named("gain") = forest.gains,
      Rcpp::Named("node_documents") = forest.node_documents,
      Rcpp::Named("leaf_documents") = forest.leaf_documents);
  if (!forest.set_levels.empty()) {
    of_r["set_begin"] = forest.set_begin;
    of_r["set_levels"] = forest.set_levels;
  }
  return of_r;
}

// A forest of R and a view of it. Keeps the R vectors alive.
class ForestOfR {
 public:
  explicit ForestOfR(const Rcpp::List& forest)
      : round_begin_(forest["round_begin"]),
        node_begin_(forest["node_begin"]),
        leaf_begin_(forest["leaf_begin"]),
        feature_(forest["feature"]),
        threshold_(forest["threshold"]),
        missing_left_(forest["missing_left"]),
        left_(forest["left"]),
        right_(forest["right"]),
        values_(forest["values"]) {
    // A product of trees that was converted to a single tree has no gains and counts.
    if (forest.containsElementNamed("gain")) {
      gain_ = forest["gain"];
      node_documents_ = forest["node_documents"];
      leaf_documents_ = forest["leaf_documents"];
    }
    view_.outputs = static_cast<std::size_t>(Rcpp::as<int>(forest["outputs"]));
    view_.round_begin = int_view(round_begin_);
    view_.node_begin = int_view(node_begin_);
    view_.leaf_begin = int_view(leaf_begin_);
    view_.feature = int_view(feature_);
    view_.threshold = double_view(threshold_);
    view_.missing_left = int_view(missing_left_);
    view_.left = int_view(left_);
    view_.right = int_view(right_);
    view_.values = double_view(values_);
    if (forest.containsElementNamed("set_levels")) {
      set_begin_ = forest["set_begin"];
      set_levels_ = forest["set_levels"];
      view_.set_begin = int_view(set_begin_);
      view_.set_levels = int_view(set_levels_);
    }
  }

  const tree::ForestView& view() const { return view_; }
  tree::Forest forest() const {
    auto copy = [](auto view) {
      return std::vector<std::decay_t<decltype(view[0])>>(view.begin(), view.end());
    };
    return {view_.outputs,
            copy(view_.round_begin),
            copy(view_.node_begin),
            copy(view_.leaf_begin),
            copy(view_.feature),
            copy(view_.threshold),
            copy(view_.missing_left),
            copy(view_.left),
            copy(view_.right),
            copy(view_.values),
            copy(double_view(gain_)),
            copy(int_view(node_documents_)),
            copy(int_view(leaf_documents_)),
            copy(view_.set_begin),
            copy(view_.set_levels)};
  }

 private:
  Rcpp::IntegerVector round_begin_;
  Rcpp::IntegerVector node_begin_;
  Rcpp::IntegerVector leaf_begin_;
  Rcpp::IntegerVector feature_;
  Rcpp::NumericVector threshold_;
  Rcpp::IntegerVector missing_left_;
  Rcpp::IntegerVector left_;
  Rcpp::IntegerVector right_;
  Rcpp::NumericVector values_;
  Rcpp::NumericVector gain_;
  Rcpp::IntegerVector node_documents_;  // empty if not counted
  Rcpp::IntegerVector leaf_documents_;
  Rcpp::IntegerVector set_begin_;  // empty if no node has levels
  Rcpp::IntegerVector set_levels_;
  tree::ForestView view_;
};

// Like with_features(), but `x` may also be binned data, a list of class
// "binned_features".
template <class Use>
auto with_predictable(const Rcpp::RObject& x, const Use& use) {
  if (x.inherits("binned_features")) {
    const Rcpp::List parts(x);
    const SEXP pointer = parts["bins"];
    const BinsPointer bins(pointer);
    return use(*bins);
  }
  return with_features(x, use);
}

// Validation features and the running sums of the rounds of a fit. R holds them as an
// external pointer and never saves them.
struct HeldOut {
  explicit HeldOut(const Rcpp::RObject& features) : x(features) {}

  // The sums after `rounds` rounds, documents x outputs. `rounds` must not decrease
  // between calls.
  Rcpp::NumericMatrix sums_after(std::size_t rounds, const tree::Forest& forest,
                                 View<const double> weights, Host& host) {
    const int documents = with_predictable(x, [&](const auto& features) {
      sums.add(view_of(forest), weights, rounds, features, host);
      return static_cast<int>(features.rows());
    });
    return Rcpp::NumericMatrix(documents, static_cast<int>(forest.outputs),
                               sums.sums().begin());
  }

  Rcpp::RObject x;
  tree::RunningSums sums;
};

}  // namespace rankmix

using HeldOutPointer = Rcpp::XPtr<rankmix::HeldOut>;
