// Glue: fusion.
#include <Rcpp.h>

#include <map>
#include <string>

#include "core/base/errors.h"
#include "core/mix/fuse.h"
#include "core/mix/lists.h"
#include "core/mix/majority.h"
#include "host_parallel.h"
#include "views_r.h"

namespace {

namespace mix = rankmix::mix;

// `positions` is empty where documents with equal scores share their places.
mix::Lists lists_of(const Rcpp::NumericMatrix& scores, const Rcpp::IntegerVector& order,
                    const Rcpp::IntegerVector& offsets,
                    const Rcpp::IntegerVector& positions) {
  return {rankmix::matrix_view(scores),
          {rankmix::int_view(order), rankmix::int_view(offsets)},
          rankmix::int_view(positions)};
}

template <class Kind>
Kind named(const std::map<std::string, Kind>& kinds, const Rcpp::List& options,
           const char* option) {
  const auto name = Rcpp::as<std::string>(options[option]);
  const auto entry = kinds.find(name);
  if (entry == kinds.end()) {
    throw rankmix::InvalidArgument("unknown kind of fusion " + name);
  }
  return entry->second;
}

const std::map<std::string, mix::Worth> kWorths = {
    {"none", mix::Worth::kScore},  {"min_max", mix::Worth::kMinMax},
    {"sum", mix::Worth::kSum},     {"max", mix::Worth::kMax},
    {"z", mix::Worth::kZ},         {"rank", mix::Worth::kRank},
    {"borda", mix::Worth::kBorda}, {"points", mix::Worth::kPoints},
    {"table", mix::Worth::kTable}};

const std::map<std::string, mix::Missing> kMissing = {{"skip", mix::Missing::kSkip},
                                                      {"zero", mix::Missing::kZero},
                                                      {"last", mix::Missing::kLast},
                                                      {"given", mix::Missing::kGiven}};

const std::map<std::string, mix::Combination> kCombinations = {
    {"sum", mix::Combination::kSum},
    {"mean", mix::Combination::kMean},
    {"min", mix::Combination::kMin},
    {"max", mix::Combination::kMax},
    {"median", mix::Combination::kMedian}};

const std::map<std::string, mix::Reward> kRewards = {{"none", mix::Reward::kNone},
                                                     {"power", mix::Reward::kPower},
                                                     {"log", mix::Reward::kLog}};

}  // namespace

// `scores` is documents x rankers, NaN where a document was not retrieved; `table` is
// places or segments x rankers, with no rows where it is not needed.
// [[Rcpp::export]]
Rcpp::NumericVector fused_scores(
    const Rcpp::NumericMatrix& scores, const Rcpp::IntegerVector& order,
    const Rcpp::IntegerVector& offsets, const Rcpp::IntegerVector& positions,
    const Rcpp::NumericMatrix& table, const Rcpp::NumericVector& given,
    const Rcpp::NumericVector& weights, const Rcpp::List& options, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    mix::FusionOptions how;
    how.worth = named(kWorths, options, "worth");
    how.table = rankmix::matrix_view(table);
    how.segments = static_cast<std::size_t>(Rcpp::as<int>(options["segments"]));
    how.times_scores = Rcpp::as<bool>(options["times_scores"]);
    how.missing = named(kMissing, options, "missing");
    how.given = rankmix::double_view(given);
    how.combination = named(kCombinations, options, "combination");
    how.reward = named(kRewards, options, "reward");
    how.parameter = Rcpp::as<double>(options["parameter"]);
    how.weights = rankmix::double_view(weights);
    const std::vector<double> out =
        mix::fuse_lists(lists_of(scores, order, offsets, positions), how, host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// [[Rcpp::export]]
Rcpp::NumericVector majority_counts(const Rcpp::NumericMatrix& scores,
                                    const Rcpp::IntegerVector& order,
                                    const Rcpp::IntegerVector& offsets,
                                    const Rcpp::IntegerVector& positions,
                                    const Rcpp::NumericVector& weights, bool missing_last,
                                    bool margins, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    mix::MajorityOptions how;
    how.weights = rankmix::double_view(weights);
    how.missing_last = missing_last;
    how.margins = margins;
    const std::vector<double> out =
        mix::majority_scores(lists_of(scores, order, offsets, positions), how, host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// The first and the last place that each document shares in each list, documents x
// rankers; 0 where it is not in the list.
// [[Rcpp::export]]
Rcpp::List places_in_lists(const Rcpp::NumericMatrix& scores,
                           const Rcpp::IntegerVector& order,
                           const Rcpp::IntegerVector& offsets,
                           const Rcpp::IntegerVector& positions, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    Rcpp::IntegerMatrix first(scores.nrow(), scores.ncol());
    Rcpp::IntegerMatrix last(scores.nrow(), scores.ncol());
    const auto rows = static_cast<std::size_t>(scores.nrow());
    const auto columns = static_cast<std::size_t>(scores.ncol());
    mix::list_places(lists_of(scores, order, offsets, positions), host,
                     {INTEGER(first), rows, columns}, {INTEGER(last), rows, columns});
    return Rcpp::List::create(Rcpp::Named("first") = first, Rcpp::Named("last") = last);
  });
}
