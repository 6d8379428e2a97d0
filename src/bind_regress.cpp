// Glue: M5P model trees and bagging.
#include "bind_regress.h"

#include <Rcpp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bind_data.h"
#include "bind_forest.h"
#include "core/regress/bag.h"
#include "core/regress/content_order.h"
#include "core/regress/documents.h"
#include "core/regress/grow.h"
#include "core/regress/model_tree.h"
#include "core/regress/predict.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace regress = rankmix::regress;

namespace {

// Access to the values of features, which must outlive the result.
std::unique_ptr<regress::Values> values_of(rankmix::MatrixView<const double> x) {
  return std::make_unique<regress::DenseValues>(x);
}
std::unique_ptr<regress::Values> values_of(const rankmix::SparseView& x) {
  return std::make_unique<regress::SparseValues>(x);
}

regress::TreeOptions options_of(const Rcpp::List& spec) {
  regress::TreeOptions options;
  options.min_split = Rcpp::as<double>(spec["min_data_in_split"]);
  options.prune = Rcpp::as<bool>(spec["prune"]);
  options.smooth = Rcpp::as<bool>(spec["smooth"]);
  return options;
}

regress::BagOptions bag_of(const Rcpp::List& spec, double seed) {
  regress::BagOptions options;
  options.seed = static_cast<std::uint64_t>(seed);
  options.fraction = Rcpp::as<double>(spec["fraction"]);
  options.replace = Rcpp::as<bool>(spec["replace"]);
  options.feature_fraction = Rcpp::as<double>(spec["feature_fraction"]);
  return options;
}

const rankmix::data::BinnedMatrix* bins_or_null(const Rcpp::RObject& bins) {
  return Rf_isNull(bins) ? nullptr : BinsPointer(static_cast<SEXP>(bins)).get();
}

Rcpp::List to_r(const regress::ModelTree& tree) {
  return Rcpp::List::create(
      Rcpp::Named("forest") = rankmix::to_r(tree.forest),
      Rcpp::Named("models") = Rcpp::List::create(Rcpp::Named("begin") = tree.begin,
                                                 Rcpp::Named("feature") = tree.feature,
                                                 Rcpp::Named("weight") = tree.weight),
      Rcpp::Named("error") = tree.error, Rcpp::Named("deviation") = tree.deviation);
}

}  // namespace

// Grows a tree. If `weights` is empty, all are equal. If `bins` is NULL, splits are
// searched among all values.
// [[Rcpp::export(rng = false)]]
Rcpp::List m5p_grow(const Rcpp::RObject& x, const Rcpp::RObject& bins,
                    const Rcpp::NumericVector& targets,
                    const Rcpp::NumericVector& weights, const Rcpp::List& spec,
                    int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::View<const double> y = rankmix::double_view(targets);
    const rankmix::View<const double> w = rankmix::double_view(weights);
    return rankmix::with_features(x, [&](const auto& view) {
      const auto values = values_of(view);
      return to_r(regress::grow_tree(
          *values, bins_or_null(bins), y, w, regress::content_order(*values, y, w, host),
          std::vector<std::uint8_t>(view.cols(), 1), options_of(spec), host));
    });
  });
}

// The rows of the data, from 0, query by query. Within a query they are sorted by
// features, grade, and `ties`, which may be empty. Indices in `query` count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector rows_by_content(const Rcpp::RObject& x,
                                    const Rcpp::NumericVector& grades,
                                    const Rcpp::IntegerVector& query,
                                    const Rcpp::IntegerVector& offsets,
                                    const Rcpp::NumericVector& ties, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(x, [&](const auto& view) {
      return rankmix::copied(regress::order_of_queries(
          regress::content_order(*values_of(view), rankmix::double_view(grades),
                                 rankmix::double_view(ties), host),
          rankmix::int_view(query), rankmix::int_view(offsets)));
    });
  });
}

// Keys that identify documents or whole queries in the samples of a bag. Indices in
// `query` count from 1. If `weights` is empty, all are equal.
// [[Rcpp::export(rng = false)]]
BagPointer bag_start(const Rcpp::RObject& x, const Rcpp::IntegerVector& grades,
                     const Rcpp::IntegerVector& query, const Rcpp::NumericVector& weights,
                     bool whole_queries, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    return rankmix::with_features(x, [&](const auto& view) {
      return BagPointer(new rankmix::BagKeys{regress::bag_keys(
          *values_of(view), rankmix::int_view(grades), rankmix::int_view(query),
          rankmix::double_view(weights), whole_queries, host)});
    });
  });
}

// The number of times each document is drawn for a sample. Samples count from 0.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector bag_draw(BagPointer bag, const Rcpp::NumericVector& weights,
                             const Rcpp::List& spec, double seed, int sample) {
  const std::vector<double> counts =
      regress::bag_counts(bag->keys, rankmix::double_view(weights), bag_of(spec, seed),
                          static_cast<std::size_t>(sample));
  return Rcpp::NumericVector(counts.begin(), counts.end());
}

// The features of a sample, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector bag_columns(int features, const Rcpp::List& spec, double seed,
                                int sample) {
  const std::vector<std::uint8_t> active =
      regress::bag_features(static_cast<std::size_t>(features), bag_of(spec, seed),
                            static_cast<std::size_t>(sample));
  Rcpp::IntegerVector columns;
  for (std::size_t f = 0; f < active.size(); ++f) {
    if (active[f] != 0) {
      columns.push_back(static_cast<int>(f) + 1);
    }
  }
  return columns;
}

// Grows the trees of a bag in parallel.
// [[Rcpp::export(rng = false)]]
Rcpp::List m5p_grow_bag(BagPointer bag, const Rcpp::RObject& x, const Rcpp::RObject& bins,
                        const Rcpp::NumericVector& targets,
                        const Rcpp::NumericVector& weights, const Rcpp::List& tree,
                        const Rcpp::List& spec, double seed, int threads,
                        const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress);
    return rankmix::with_features(x, [&](const auto& view) {
      const auto values = values_of(view);
      const regress::BagData data{*values, bins_or_null(bins),
                                  rankmix::double_view(targets),
                                  rankmix::double_view(weights), bag->keys};
      const std::vector<regress::ModelTree> trees = regress::grow_bag(
          data, static_cast<std::size_t>(Rcpp::as<double>(spec["times"])),
          bag_of(spec, seed), options_of(tree), host);
      Rcpp::List out;
      for (const regress::ModelTree& one : trees) {
        out.push_back(to_r(one));
      }
      return out;
    });
  });
}

// Predictions, one for each row.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector m5p_predict(const Rcpp::List& forest, const Rcpp::List& models,
                                const Rcpp::RObject& x, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::ForestOfR of_r(forest);
    const Rcpp::IntegerVector begin(models["begin"]);
    const Rcpp::IntegerVector feature(models["feature"]);
    const Rcpp::NumericVector weight(models["weight"]);
    return rankmix::with_features(x, [&](const auto& view) {
      const auto values = values_of(view);
      auto out = rankmix::new_zeros<Rcpp::NumericVector>(view.rows());
      regress::predict_model_tree(of_r.view(),
                                  {rankmix::int_view(begin), rankmix::int_view(feature),
                                   rankmix::double_view(weight)},
                                  *values, view.rows(), host, REAL(out));
      return out;
    });
  });
}
