// Glue: AdaBoost.MH and the prediction of its ensembles.
#include "bind_boost.h"

#include <Rcpp.h>

#include <memory>
#include <string>

#include "core/base/errors.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/base_tree.h"
#include "core/tree/predict.h"
#include "host_parallel.h"
#include "views_r.h"

namespace boost = rankmix::boost;

namespace {

Rcpp::List to_r(const rankmix::tree::Forest& forest) {
  return Rcpp::List::create(
      Rcpp::Named("outputs") = static_cast<int>(forest.outputs),
      Rcpp::Named("round_begin") = forest.round_begin,
      Rcpp::Named("node_begin") = forest.node_begin,
      Rcpp::Named("leaf_begin") = forest.leaf_begin,
      Rcpp::Named("feature") = forest.feature,
      Rcpp::Named("threshold") = forest.threshold,
      Rcpp::Named("missing_left") = forest.missing_left,
      Rcpp::Named("left") = forest.left, Rcpp::Named("right") = forest.right,
      Rcpp::Named("values") = forest.values, Rcpp::Named("gain") = forest.gains);
}

// A forest of R, and views of it.
class ForestOfR {
 public:
  explicit ForestOfR(const Rcpp::List& forest)
      : node_begin_(forest["node_begin"]),
        leaf_begin_(forest["leaf_begin"]),
        feature_(forest["feature"]),
        threshold_(forest["threshold"]),
        missing_left_(forest["missing_left"]),
        left_(forest["left"]),
        right_(forest["right"]),
        values_(forest["values"]) {
    // Version 0.1.0 had a tree a round and did not say so.
    round_begin_ =
        forest.containsElementNamed("round_begin")
            ? Rcpp::IntegerVector(forest["round_begin"])
            : Rcpp::IntegerVector(Rcpp::seq(0, static_cast<int>(node_begin_.size()) - 1));
    if (forest.containsElementNamed("gain")) {
      gain_ = forest["gain"];
    }
    view_.outputs = static_cast<std::size_t>(Rcpp::as<int>(forest["outputs"]));
    view_.round_begin = rankmix::int_view(round_begin_);
    view_.node_begin = rankmix::int_view(node_begin_);
    view_.leaf_begin = rankmix::int_view(leaf_begin_);
    view_.feature = rankmix::int_view(feature_);
    view_.threshold = rankmix::double_view(threshold_);
    view_.missing_left = rankmix::int_view(missing_left_);
    view_.left = rankmix::int_view(left_);
    view_.right = rankmix::int_view(right_);
    view_.values = rankmix::double_view(values_);
  }

  const rankmix::tree::ForestView& view() const { return view_; }
  rankmix::View<const double> gains() const { return rankmix::double_view(gain_); }

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
  rankmix::tree::ForestView view_;
};

// Whether the entry of a list is this word.
bool is(const Rcpp::List& list, const char* name, const std::string& word) {
  return list.containsElementNamed(name) && Rcpp::as<std::string>(list[name]) == word;
}

std::unique_ptr<boost::BaseLearner> make_learner(const Rcpp::List& base) {
  const auto name = Rcpp::as<std::string>(base["name"]);
  const auto size = static_cast<std::size_t>(Rcpp::as<double>(base["size"]));
  if (name == "hamming_tree") {
    return std::make_unique<boost::HammingTreeLearner>(size);
  }
  if (name == "product") {
    return std::make_unique<boost::ProductLearner>(size);
  }
  return std::make_unique<boost::TreeLearner>(size);
}

}  // namespace

// Starts a fit without any round. `document_weights` is empty where all documents weigh
// the same.
// [[Rcpp::export]]
BoosterPointer adaboost_mh_start(BinsPointer bins, const Rcpp::IntegerVector& grades,
                                 const Rcpp::NumericVector& document_weights, int classes,
                                 const Rcpp::List& base, const Rcpp::List& spec,
                                 double seed, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    boost::AdaBoostOptions options;
    options.weights = is(spec, "weights", "uniform") ? boost::WeightScheme::kUniform
                                                     : boost::WeightScheme::kRelevance;
    // Models of versions without it were trained in double precision.
    options.precision = is(spec, "precision", "single") ? boost::Precision::kSingle
                                                        : boost::Precision::kDouble;
    options.feature_share = Rcpp::as<double>(spec["feature_share"]);
    options.seed = static_cast<std::uint64_t>(seed);
    return BoosterPointer(new rankmix::Booster(bins, make_learner(base), grades,
                                               document_weights, classes, options, host));
  });
}

// Takes over the rounds of a model of the same data: FALSE where they are not the same.
// [[Rcpp::export]]
bool adaboost_mh_replay(BoosterPointer booster, const Rcpp::List& forest,
                        const Rcpp::NumericVector& alpha, const Rcpp::NumericVector& edge,
                        int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const ForestOfR of_r(forest);
    try {
      booster->booster.replay(of_r.view(), rankmix::double_view(alpha),
                              rankmix::double_view(edge), of_r.gains(), host);
    } catch (const rankmix::InvalidArgument&) {
      return false;
    }
    return true;
  });
}

// Adds rounds; `total` is for the progress.
// [[Rcpp::export]]
void adaboost_mh_run(BoosterPointer booster, int rounds, int total, int threads,
                     const Rcpp::RObject& progress) {
  rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    booster->booster.run(static_cast<std::size_t>(rounds),
                         static_cast<std::size_t>(total), host);
    return 0;
  });
}

// [[Rcpp::export]]
Rcpp::List adaboost_mh_model(BoosterPointer booster) {
  return rankmix::guarded([&] {
    const boost::AdaBoostModel& model = booster->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("forest") = to_r(model.forest), Rcpp::Named("alpha") = model.alpha,
        Rcpp::Named("edge") = model.edge,
        Rcpp::Named("status") =
            model.status == boost::Status::kLimit ? "limit" : "stalled");
  });
}

// Discriminants: a rows x outputs x stages array.
// [[Rcpp::export]]
Rcpp::NumericVector forest_predict(const Rcpp::List& forest,
                                   const Rcpp::NumericVector& weights,
                                   const Rcpp::RObject& x,
                                   const Rcpp::IntegerVector& stages, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const ForestOfR of_r(forest);
    const rankmix::tree::ForestView& view = of_r.view();
    const int outputs = static_cast<int>(view.outputs);
    return rankmix::with_features(x, [&](const auto& features) {
      const int rows = static_cast<int>(features.rows());
      Rcpp::NumericVector out(static_cast<R_xlen_t>(rows) * outputs * stages.size());
      rankmix::tree::predict_staged(view, rankmix::double_view(weights), features,
                                    rankmix::int_view(stages), host, REAL(out));
      out.attr("dim") =
          Rcpp::IntegerVector::create(rows, outputs, static_cast<int>(stages.size()));
      return out;
    });
  });
}
