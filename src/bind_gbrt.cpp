// Glue: gradient boosted regression trees.
#include "bind_gbrt.h"

#include <Rcpp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bind_forest.h"
#include "bind_yeti.h"
#include "core/base/errors.h"
#include "core/base/hash.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace boost = rankmix::boost;

namespace {

const char* status_of(const boost::GbrtModel& model) {
  return model.stalled ? "stalled" : "limit";
}

// A hash of the query id of each document. Indices in `query` count from 1.
std::vector<std::uint64_t> query_keys(const Rcpp::IntegerVector& query,
                                      const Rcpp::CharacterVector& ids) {
  std::vector<std::uint64_t> keys;
  keys.reserve(static_cast<std::size_t>(query.size()));
  for (int q : query) {
    SEXP id = ids[q - 1];
    keys.push_back(rankmix::hash_text(CHAR(id), static_cast<std::size_t>(LENGTH(id))));
  }
  return keys;
}

boost::GbrtOptions options_of(const Rcpp::List& spec, double seed) {
  boost::GbrtOptions options;
  options.oblivious = Rcpp::as<std::string>(spec["growth"]) == "oblivious";
  if (!options.oblivious) {
    options.limits.leaves =
        static_cast<std::size_t>(Rcpp::as<double>(spec["num_leaves"]));
  }
  if (!Rf_isNull(spec["max_depth"])) {
    options.limits.depth = static_cast<std::size_t>(Rcpp::as<double>(spec["max_depth"]));
  }
  options.learning_rate = Rcpp::as<double>(spec["learning_rate"]);
  options.min_documents = Rcpp::as<double>(spec["min_data_in_leaf"]);
  options.precision = Rcpp::as<std::string>(spec["precision"]) == "single"
                          ? boost::Precision::kSingle
                          : boost::Precision::kDouble;
  options.feature_fraction = Rcpp::as<double>(spec["feature_fraction"]);
  options.bagging_fraction = Rcpp::as<double>(spec["bagging_fraction"]);
  options.query_fraction = Rcpp::as<double>(spec["query_fraction"]);
  if (options.query_fraction < 1.0) {
    options.query_keys = query_keys(spec["query"], spec["query_ids"]);
  }
  if (spec.containsElementNamed("counts")) {
    options.counts = Rcpp::as<std::vector<int>>(spec["counts"]);
  }
  options.dropout = Rcpp::as<double>(spec["dropout"]);
  options.monotone = Rcpp::as<std::vector<int>>(spec["monotone_constraints"]);
  if (spec.containsElementNamed("start_scores")) {
    options.start_scores = Rcpp::as<std::vector<double>>(spec["start_scores"]);
  }
  if (spec.containsElementNamed("groups")) {
    options.groups = Rcpp::as<boost::FeatureGroups>(spec["groups"]);
  }
  if (spec.containsElementNamed("costs")) {
    options.costs.costs = Rcpp::as<std::vector<double>>(spec["costs"]);
    options.costs.items = Rcpp::as<std::vector<int>>(spec["items"]);
  }
  if (spec.containsElementNamed("levels")) {
    options.subsets.levels = Rcpp::as<std::vector<int>>(spec["levels"]);
    options.subsets.smooth = Rcpp::as<double>(spec["cat_smooth"]);
    options.subsets.l2 = Rcpp::as<double>(spec["cat_l2"]);
    options.subsets.max_levels =
        static_cast<std::size_t>(Rcpp::as<double>(spec["max_cat_threshold"]));
    options.subsets.min_group = Rcpp::as<double>(spec["min_data_per_group"]);
  }
  options.seed = static_cast<std::uint64_t>(seed);
  options.l2 = Rcpp::as<double>(spec["lambda_l2"]);
  if (spec.containsElementNamed("solver")) {
    const auto solver = Rcpp::as<std::string>(spec["solver"]);
    options.solver = solver == "aligned"  ? boost::Solver::kAligned
                     : solver == "values" ? boost::Solver::kValues
                                          : boost::Solver::kPointwise;
    options.aligned.ridge = Rcpp::as<double>(spec["ridge"]);
    options.aligned.pair_fraction = Rcpp::as<double>(spec["pair_fraction"]);
    const double screen = Rcpp::as<double>(spec["screen"]);
    if (screen < 1e9) {
      options.aligned.screen = static_cast<std::size_t>(screen);
    }
  }
  if (spec.containsElementNamed("queries")) {
    options.row_keys = rankmix::row_keys(spec);
  }
  return options;
}

}  // namespace

// Starts a fit without trees. If `weights` is empty, all documents have equal weights.
// [[Rcpp::export(rng = false)]]
GbrtPointer gbrt_start(BinsPointer bins, const Rcpp::NumericVector& targets,
                       const Rcpp::NumericVector& weights, const Rcpp::List& spec,
                       double seed, int threads) {
  return rankmix::guarded([&] {
    const Rcpp::RObject cluster = rankmix::cluster_of(spec);
    rankmix::RHost host(threads, R_NilValue, cluster);
    return GbrtPointer(new rankmix::GbrtFit(bins, rankmix::takes_bins(spec), targets,
                                            weights, options_of(spec, seed), cluster,
                                            host));
  });
}

// Like gbrt_start(), with an objective and the document data that the objective needs.
// [[Rcpp::export(rng = false)]]
GbrtPointer gbrt_start_objective(BinsPointer bins, const Rcpp::List& objective,
                                 const Rcpp::List& documents, const Rcpp::List& spec,
                                 double seed, int threads) {
  return rankmix::guarded([&] {
    const Rcpp::RObject cluster = rankmix::cluster_of(spec);
    rankmix::RHost host(threads, R_NilValue, cluster);
    return GbrtPointer(new rankmix::GbrtFit(bins, rankmix::takes_bins(spec), objective,
                                            documents, options_of(spec, seed), cluster,
                                            host));
  });
}

// Restores the trees of a model. Returns FALSE if it was not trained on the same data.
// [[Rcpp::export(rng = false)]]
bool gbrt_replay(GbrtPointer fit, const Rcpp::List& model, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue, fit->cluster);
    try {
      fit->gbrt.replay({rankmix::ForestOfR(model["forest"]).forest(),
                        Rcpp::as<double>(model["start"]), false},
                       host);
    } catch (const rankmix::InvalidArgument&) {
      return false;
    }
    return true;
  });
}

// Adds trees and returns their total number. `total` is the final number, for the
// progress.
// [[Rcpp::export(rng = false)]]
Rcpp::List gbrt_run(GbrtPointer fit, int trees, int total, int threads,
                    const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress, fit->cluster);
    fit->gbrt.run(static_cast<std::size_t>(trees), static_cast<std::size_t>(total), host);
    const boost::GbrtModel& model = fit->gbrt.model();
    return Rcpp::List::create(
        Rcpp::Named("rounds") = static_cast<int>(model.forest.round_begin.size()) - 1,
        Rcpp::Named("status") = status_of(model));
  });
}

// Like gbrt_run(), for several fits on the same bins, round by round. Fits that stall
// stop early. `rounds` and `status` have one element for each fit.
// [[Rcpp::export(rng = false)]]
Rcpp::List gbrt_run_together(const Rcpp::List& fits, int trees, int total, int threads,
                             const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    std::vector<boost::Gbrt*> all;
    Rcpp::RObject cluster;  // shared by all fits
    for (R_xlen_t i = 0; i < fits.size(); ++i) {
      const auto fit = Rcpp::as<GbrtPointer>(fits[i]);
      all.push_back(&fit->gbrt);
      cluster = fit->cluster;
    }
    rankmix::RHost host(threads, progress, cluster);
    boost::Gbrt::run_together(all, static_cast<std::size_t>(trees),
                              static_cast<std::size_t>(total), host);
    std::vector<int> rounds;
    std::vector<std::string> status;
    for (const boost::Gbrt* fit : all) {
      rounds.push_back(static_cast<int>(fit->model().forest.round_begin.size()) - 1);
      status.push_back(status_of(fit->model()));
    }
    return Rcpp::List::create(Rcpp::Named("rounds") = rounds,
                              Rcpp::Named("status") = status);
  });
}

// The predictions of the first `trees` trees for validation documents, including the
// learning rate.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix gbrt_look(GbrtPointer fit, HeldOutPointer held, int trees,
                              int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto count = static_cast<std::size_t>(trees);
    return held->sums_after(count, fit->gbrt.model().forest, fit->gbrt.weights(), host);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List gbrt_model(GbrtPointer fit) {
  return rankmix::guarded([&] {
    const boost::GbrtModel& model = fit->gbrt.model();
    return Rcpp::List::create(Rcpp::Named("forest") = rankmix::to_r(model.forest),
                              Rcpp::Named("start") = model.start,
                              Rcpp::Named("status") = status_of(model));
  });
}

// The state that the objective had learned before each tree, tree by tree.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector gbrt_states(GbrtPointer fit) {
  return rankmix::guarded([&] {
    const std::vector<double>& states = fit->gbrt.states();
    return Rcpp::NumericVector(states.begin(), states.end());
  });
}

// The weights of `rounds` trees after dropout, if no further trees are added.
// [[Rcpp::export(rng = false)]]
std::vector<double> gbrt_weights(const Rcpp::List& spec, double seed, int rounds) {
  return rankmix::guarded([&] {
    boost::Dropout dropout(Rcpp::as<double>(spec["dropout"]),
                           Rcpp::as<double>(spec["learning_rate"]),
                           static_cast<std::uint64_t>(seed));
    for (int round = 0; round < rounds; ++round) {
      dropout.add_round();
    }
    return dropout.weights();
  });
}
