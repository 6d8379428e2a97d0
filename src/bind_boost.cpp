// Glue: AdaBoost.MH and the prediction of its ensembles.
#include "bind_boost.h"

#include <Rcpp.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bind_forest.h"
#include "bind_yeti.h"
#include "core/base/errors.h"
#include "core/boost/base_hamming_tree.h"
#include "core/boost/base_product.h"
#include "core/boost/base_tree.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace boost = rankmix::boost;

namespace {

// True if the element `name` of the list is this word.
bool is(const Rcpp::List& list, const char* name, const std::string& word) {
  return list.containsElementNamed(name) && Rcpp::as<std::string>(list[name]) == word;
}

std::unique_ptr<boost::BaseLearner> make_learner(const Rcpp::List& base) {
  const auto name = Rcpp::as<std::string>(base["name"]);
  const auto size = static_cast<std::size_t>(Rcpp::as<double>(base["size"]));
  const bool rated = is(base, "votes", "confidence");
  if (name == "hamming_tree") {
    return std::make_unique<boost::HammingTreeLearner>(size, rated);
  }
  if (name == "product") {
    return std::make_unique<boost::ProductLearner>(size, rated);
  }
  if (name == "tree" || name == "stump") {
    return std::make_unique<boost::TreeLearner>(size, rated);
  }
  throw rankmix::InvalidArgument("there is no base learner " + name);
}

std::optional<boost::BanditOptions> bandit_of(const Rcpp::List& spec) {
  if (!Rf_isNewList(Rcpp::as<Rcpp::RObject>(spec["search"]))) {
    return std::nullopt;
  }
  const Rcpp::List bandit = spec["search"];
  boost::BanditOptions options;
  options.exploration = Rcpp::as<double>(bandit["exploration"]);
  options.eta = Rcpp::as<double>(bandit["eta"]);
  options.horizon = Rcpp::as<double>(bandit["horizon"]);
  return options;
}

boost::WeightScheme scheme_of(const Rcpp::List& spec) {
  return is(spec, "weights", "uniform") ? boost::WeightScheme::kUniform
                                        : boost::WeightScheme::kRelevance;
}

boost::AdaBoostModel model_of(const Rcpp::List& fitted) {
  boost::AdaBoostModel model;
  model.forest = rankmix::ForestOfR(fitted["forest"]).forest();
  model.alpha = Rcpp::as<std::vector<double>>(fitted["alpha"]);
  model.edge = Rcpp::as<std::vector<double>>(fitted["edge"]);
  const Rcpp::List pulls = fitted["pulls"];
  model.pull_begin = Rcpp::as<std::vector<int>>(pulls["begin"]);
  model.pulls.feature = Rcpp::as<std::vector<int>>(pulls["feature"]);
  model.pulls.reward = Rcpp::as<std::vector<double>>(pulls["reward"]);
  return model;
}

const char* status_of(const boost::AdaBoostModel& model) {
  return model.status == boost::Status::kLimit ? "limit" : "stalled";
}

}  // namespace

// Starts a fit without rounds. If `document_weights` is empty, all documents have equal
// weights.
// [[Rcpp::export(rng = false)]]
BoosterPointer adaboost_mh_start(BinsPointer bins, const Rcpp::IntegerVector& grades,
                                 const Rcpp::NumericVector& document_weights, int classes,
                                 const Rcpp::List& base, const Rcpp::List& spec,
                                 double seed, int threads) {
  return rankmix::guarded([&] {
    const Rcpp::RObject cluster = rankmix::cluster_of(spec);
    rankmix::RHost host(threads, R_NilValue, cluster);
    boost::AdaBoostOptions options;
    options.weights = scheme_of(spec);
    options.precision = is(spec, "precision", "single") ? boost::Precision::kSingle
                                                        : boost::Precision::kDouble;
    options.feature_fraction = Rcpp::as<double>(spec["feature_fraction"]);
    options.bagging_fraction = Rcpp::as<double>(spec["bagging_fraction"]);
    if (options.bagging_fraction < 1.0) {
      options.row_keys = rankmix::row_keys(spec);
    }
    options.bandit = bandit_of(spec);
    if (spec.containsElementNamed("counts")) {
      options.counts = Rcpp::as<std::vector<int>>(spec["counts"]);
    }
    options.seed = static_cast<std::uint64_t>(seed);
    return BoosterPointer(
        new rankmix::Booster(bins, rankmix::takes_bins(spec), make_learner(base), grades,
                             document_weights, classes, options, cluster, host));
  });
}

// Restores the rounds of a model. Returns FALSE if it was not trained on the same data.
// [[Rcpp::export(rng = false)]]
bool adaboost_mh_replay(BoosterPointer booster, const Rcpp::List& model, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue, booster->cluster);
    try {
      booster->booster.replay(model_of(model), host);
    } catch (const rankmix::InvalidArgument&) {
      return false;
    }
    return true;
  });
}

// Adds rounds and returns their total number. `total` is the final number, for the
// progress.
// [[Rcpp::export(rng = false)]]
Rcpp::List adaboost_mh_run(BoosterPointer booster, int rounds, int total, int threads,
                           const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress, booster->cluster);
    booster->booster.run(static_cast<std::size_t>(rounds),
                         static_cast<std::size_t>(total), host);
    const boost::AdaBoostModel& model = booster->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("rounds") = static_cast<int>(model.alpha.size()),
        Rcpp::Named("status") = status_of(model));
  });
}

// The discriminants of validation documents after `rounds` rounds, and the weights of
// these rounds.
// [[Rcpp::export(rng = false)]]
Rcpp::List adaboost_mh_look(BoosterPointer booster, HeldOutPointer held, int rounds,
                            int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const boost::AdaBoostModel& model = booster->booster.model();
    const auto count = static_cast<std::size_t>(rounds);
    return Rcpp::List::create(
        Rcpp::Named("f") = held->sums_after(count, model.forest, model.alpha, host),
        Rcpp::Named("alpha") =
            Rcpp::NumericVector(model.alpha.begin(), model.alpha.begin() + rounds));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List adaboost_mh_model(BoosterPointer booster) {
  return rankmix::guarded([&] {
    const boost::AdaBoostModel& model = booster->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("forest") = rankmix::to_r(model.forest),
        Rcpp::Named("alpha") = model.alpha, Rcpp::Named("edge") = model.edge,
        Rcpp::Named("pulls") =
            Rcpp::List::create(Rcpp::Named("begin") = model.pull_begin,
                               Rcpp::Named("feature") = model.pulls.feature,
                               Rcpp::Named("reward") = model.pulls.reward),
        Rcpp::Named("status") = status_of(model));
  });
}

// The magnitudes of the weights before the first round, documents x grades.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix adaboost_mh_weights(const Rcpp::IntegerVector& grades,
                                        const Rcpp::NumericVector& document_weights,
                                        int classes, const Rcpp::List& spec,
                                        int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const boost::Weights weights(rankmix::int_view(grades),
                                 rankmix::double_view(document_weights), {},
                                 static_cast<std::size_t>(classes), scheme_of(spec),
                                 boost::Precision::kDouble, host);
    const std::vector<double> by_row = weights.magnitudes();
    auto magnitudes = rankmix::new_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(grades.size()), static_cast<std::size_t>(classes));
    auto weight = by_row.begin();
    for (int i = 0; i < magnitudes.nrow(); ++i) {
      for (int l = 0; l < classes; ++l) {
        magnitudes(i, l) = *weight++;
      }
    }
    return magnitudes;
  });
}
