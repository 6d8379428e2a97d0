// Glue: RankBoost.
#include "bind_rankboost.h"

#include <Rcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/boost/threshold_search.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "views_r.h"

namespace boost = rankmix::boost;

namespace {

const char* status_of(const boost::RankBoostModel& model) {
  return model.stalled ? "stalled" : "limit";
}

std::unique_ptr<boost::ThresholdSearch> search_of(const Rcpp::RObject& bins,
                                                  const rankmix::data::Columns* columns,
                                                  const Rcpp::List& documents,
                                                  bool halves, rankmix::Host& host) {
  if (columns == nullptr) {
    return boost::search_bins(*Rcpp::as<BinsPointer>(bins), halves);
  }
  const Rcpp::IntegerVector order = documents["order"];
  const Rcpp::IntegerVector offsets = documents["offsets"];
  const Rcpp::NumericVector weights = documents["query_weights"];
  const rankmix::tree::Counted counted =
      boost::counted_by_queries({rankmix::int_view(order), rankmix::int_view(offsets)},
                                rankmix::double_view(weights), {});
  return boost::search_values(*columns, halves, counted, host);
}

boost::RankBoost make_booster(std::unique_ptr<boost::ThresholdSearch> search,
                              const Rcpp::List& documents,
                              const boost::RankBoostOptions& options,
                              rankmix::Host& host) {
  const Rcpp::IntegerVector order = documents["order"];
  const Rcpp::IntegerVector offsets = documents["offsets"];
  const Rcpp::IntegerVector grades = documents["grades"];
  const Rcpp::NumericVector weights = documents["query_weights"];
  return {std::move(search),
          {rankmix::int_view(order), rankmix::int_view(offsets)},
          rankmix::int_view(grades),
          rankmix::double_view(weights),
          options,
          host};
}

}  // namespace

namespace rankmix {

RankBoostFit::RankBoostFit(const Rcpp::RObject& binned, const Rcpp::RObject& matrix,
                           const Rcpp::List& documents, bool halves,
                           const boost::RankBoostOptions& options,
                           const Rcpp::RObject& ranks, Host& host)
    : cluster(ranks),
      bins(binned),
      x(matrix),
      columns(Rf_isNull(binned) ? columns_of(matrix) : nullptr),
      booster(make_booster(search_of(bins, columns.get(), documents, halves, host),
                           documents, options, host)) {}

}  // namespace rankmix

// Starts a fit without rounds. If `bins` is NULL, every value is a possible threshold.
// [[Rcpp::export(rng = false)]]
RankBoostPointer rankboost_start(const Rcpp::RObject& bins, const Rcpp::RObject& x,
                                 const Rcpp::List& documents, const std::string& weak,
                                 const std::string& pairs, int threads) {
  return rankmix::guarded([&] {
    const Rcpp::RObject cluster = rankmix::cluster_of(documents);
    rankmix::RHost host(threads, R_NilValue, cluster);
    boost::RankBoostOptions options;
    options.pairs =
        pairs == "plain" ? boost::PairScheme::kPlain : boost::PairScheme::kQuery;
    options.exact = weak == "stump";
    options.counts = Rcpp::as<std::vector<int>>(documents["counts"]);
    return RankBoostPointer(new rankmix::RankBoostFit(
        bins, x, documents, weak == "abstaining", options, cluster, host));
  });
}

// True if a query has documents of different grades.
// [[Rcpp::export(rng = false)]]
bool rankboost_has_pairs(RankBoostPointer fit) { return fit->booster.has_pairs(); }

// Restores the rounds of a model. Returns FALSE if it was not trained on the same data.
// [[Rcpp::export(rng = false)]]
bool rankboost_replay(RankBoostPointer fit, const Rcpp::List& model, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue, fit->cluster);
    try {
      fit->booster.replay({rankmix::ForestOfR(model["forest"]).forest(),
                           Rcpp::as<std::vector<double>>(model["alpha"]),
                           Rcpp::as<std::vector<double>>(model["edge"]),
                           {},
                           false},
                          host);
    } catch (const rankmix::InvalidArgument&) {
      return false;
    }
    return true;
  });
}

// Adds rounds and returns their total number. `total` is the final number, for the
// progress.
// [[Rcpp::export(rng = false)]]
Rcpp::List rankboost_run(RankBoostPointer fit, int rounds, int total, int threads,
                         const Rcpp::RObject& progress) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, progress, fit->cluster);
    fit->booster.run(static_cast<std::size_t>(rounds), static_cast<std::size_t>(total),
                     host);
    const boost::RankBoostModel& model = fit->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("rounds") = static_cast<int>(model.alpha.size()),
        Rcpp::Named("status") = status_of(model));
  });
}

// The sums of the first `rounds` rounds for validation documents.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix rankboost_look(RankBoostPointer fit, HeldOutPointer held, int rounds,
                                   int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const boost::RankBoostModel& model = fit->booster.model();
    return held->sums_after(static_cast<std::size_t>(rounds), model.forest, model.alpha,
                            host);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List rankboost_model(RankBoostPointer fit) {
  return rankmix::guarded([&] {
    const boost::RankBoostModel& model = fit->booster.model();
    return Rcpp::List::create(
        Rcpp::Named("forest") = rankmix::to_r(model.forest),
        Rcpp::Named("alpha") = model.alpha, Rcpp::Named("edge") = model.edge,
        Rcpp::Named("z") = model.z, Rcpp::Named("status") = status_of(model));
  });
}
