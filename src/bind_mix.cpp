// Glue: mixtures.
#include <Rcpp.h>

#include <map>
#include <string>
#include <vector>

#include "bind_metric.h"
#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/linear/crossings.h"
#include "core/mix/aggregate.h"
#include "core/mix/chain.h"
#include "core/mix/member_weights.h"
#include "core/mix/mixture.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace {

// The scores of each member as pointers to R's vectors, without copies.
rankmix::mix::Members member_columns(const Rcpp::List& members) {
  rankmix::mix::Members columns;
  const R_xlen_t rows = members.size() > 0 ? Rf_xlength(members[0]) : 0;
  for (R_xlen_t j = 0; j < members.size(); ++j) {
    const SEXP column = members[j];
    if (TYPEOF(column) != REALSXP || Rf_xlength(column) != rows) {
      throw rankmix::InvalidArgument("members are not doubles of one length");
    }
    columns.push_back(REAL(column));
  }
  return columns;
}

// Calls use(judged, members, host) with the out-of-fold queries. `held` is the result of
// R's new_evaluator(): spec, relevance, positions, order, offsets.
template <class Use>
auto with_judged(const Rcpp::List& members, const Rcpp::List& held,
                 const Rcpp::NumericVector& query_weights, int threads, const Use& use) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const Rcpp::IntegerVector grades = held["relevance"];
    const Rcpp::IntegerVector positions = held["positions"];
    const Rcpp::IntegerVector order = held["order"];
    const Rcpp::IntegerVector offsets = held["offsets"];
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const auto metric = rankmix::metric_of(held["spec"], queries);
    const rankmix::mix::Members columns = member_columns(members);
    if (columns.empty() || Rf_xlength(members[0]) != grades.size()) {
      throw rankmix::InvalidArgument("members and grades differ in size");
    }
    const rankmix::metric::Judged judged{
        *metric,
        {rankmix::int_view(grades), rankmix::int_view(positions)},
        queries,
        rankmix::double_view(query_weights)};
    return use(judged, columns, host);
  });
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix mix_scores(const Rcpp::NumericMatrix& scores,
                               const Rcpp::NumericMatrix& weights, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(scores.nrow()),
        static_cast<std::size_t>(weights.ncol()));
    rankmix::mix::mix_scores(rankmix::matrix_view(scores), rankmix::matrix_view(weights),
                             host, rankmix::writable_view(out));
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix mix_first(const Rcpp::List& members, const Rcpp::IntegerVector& order,
                              const Rcpp::NumericVector& weights,
                              const Rcpp::IntegerVector& ends, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::mix::Members columns = member_columns(members);
    const R_xlen_t rows = members.size() > 0 ? Rf_xlength(members[0]) : 0;
    auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
        static_cast<std::size_t>(rows), static_cast<std::size_t>(ends.size()));
    rankmix::mix::mix_first(columns, rankmix::int_view(order),
                            rankmix::double_view(weights), rankmix::int_view(ends), host,
                            rankmix::writable_view(out));
    return out;
  });
}

// The metric of each query for each mixture. `weights` is members x candidates. NaN: the
// query does not count or has weight 0. NA: the query counts, but has no value.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix candidate_values(const Rcpp::List& members,
                                     const Rcpp::NumericMatrix& weights,
                                     const Rcpp::List& held,
                                     const Rcpp::NumericVector& query_weights,
                                     int threads) {
  return with_judged(
      members, held, query_weights, threads,
      [&](const rankmix::metric::Judged& judged, const rankmix::mix::Members& columns,
          rankmix::Host& host) {
        auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
            judged.queries.count(), static_cast<std::size_t>(weights.ncol()));
        rankmix::mix::mixture_values(judged, columns, rankmix::matrix_view(weights), host,
                                     rankmix::writable_view(out));
        for (double& value : out) {
          if (value == rankmix::metric::kUndefined) {
            value = NA_REAL;
          }
        }
        return out;
      });
}

// Forward selection. `among` and the selected members are indices from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List forward_selection(const Rcpp::List& members, const Rcpp::IntegerVector& among,
                             const Rcpp::List& held,
                             const Rcpp::NumericVector& query_weights, int start,
                             int steps, int threads) {
  return with_judged(
      members, held, query_weights, threads,
      [&](const rankmix::metric::Judged& judged, const rankmix::mix::Members& columns,
          rankmix::Host& host) {
        std::vector<int> from_0(among.begin(), among.end());
        for (int& member : from_0) {
          --member;
        }
        const rankmix::mix::Selected found = rankmix::mix::select_members(
            judged, columns, from_0, static_cast<std::size_t>(start),
            static_cast<std::size_t>(steps), host);
        Rcpp::IntegerVector added(found.members.begin(), found.members.end());
        return Rcpp::List::create(Rcpp::Named("added") = added + 1,
                                  Rcpp::Named("values") = found.values,
                                  Rcpp::Named("first") = static_cast<int>(found.first));
      });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector ascent_weights(const Rcpp::List& members, const Rcpp::List& held,
                                   const Rcpp::NumericVector& query_weights, int cycles,
                                   int threads) {
  return with_judged(
      members, held, query_weights, threads,
      [&](const rankmix::metric::Judged& judged, const rankmix::mix::Members& columns,
          rankmix::Host& host) {
        return Rcpp::wrap(rankmix::mix::ascend_weights(
                              judged, columns, static_cast<std::size_t>(cycles), host)
                              .weights);
      });
}

// `scores` is documents x rankers.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector aggregate_scores(const Rcpp::NumericMatrix& scores,
                                     const Rcpp::IntegerVector& order,
                                     const Rcpp::IntegerVector& offsets,
                                     const std::string& method, double damping,
                                     int threads) {
  return rankmix::guarded([&] {
    using rankmix::mix::Aggregation;
    static const std::map<std::string, Aggregation> methods = {
        {"borda", Aggregation::kBorda}, {"mc1", Aggregation::kMc1},
        {"mc2", Aggregation::kMc2},     {"mc3", Aggregation::kMc3},
        {"mc4", Aggregation::kMc4},     {"borda_chain", Aggregation::kBordaChain}};
    const auto entry = methods.find(method);
    if (entry == methods.end()) {
      throw rankmix::InvalidArgument("unknown aggregation " + method);
    }
    rankmix::RHost host(threads, R_NilValue);
    const std::vector<double> out = rankmix::mix::aggregate_ranks(
        rankmix::matrix_view(scores),
        {rankmix::int_view(order), rankmix::int_view(offsets)}, entry->second, damping,
        host);
    return Rcpp::NumericVector(out.begin(), out.end());
  });
}

// `chances` has a square matrix for each query. Returns the scores query by query.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector chain_scores(const Rcpp::NumericVector& chances,
                                 const Rcpp::IntegerVector& offsets, double damping,
                                 int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const std::vector<double> scores = rankmix::mix::chain_scores(
        rankmix::double_view(chances), rankmix::int_view(offsets), damping, host);
    return Rcpp::NumericVector(scores.begin(), scores.end());
  });
}

// Seeds of the members of a mixture: integers below 2^53.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector classifier_seeds(double seed, int count) {
  Rcpp::NumericVector seeds(count);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = rankmix::random_bits(static_cast<std::uint64_t>(seed),
                                                    rankmix::Purpose::kClassifier, 0,
                                                    static_cast<std::uint64_t>(i));
    seeds[i] = static_cast<double>(bits >> 11);
  }
  return seeds;
}
