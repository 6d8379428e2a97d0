// Glue: metrics.
#include <Rcpp.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/metric/average_precision.h"
#include "core/metric/bpref.h"
#include "core/metric/dcg.h"
#include "core/metric/err.h"
#include "core/metric/metric.h"
#include "core/metric/precision.h"
#include "core/metric/ranking.h"
#include "core/metric/reciprocal_rank.h"
#include "host_parallel.h"
#include "views_r.h"

namespace {

namespace metric = rankmix::metric;
using MetricPointer = std::unique_ptr<metric::Metric>;

template <class T>
T lookup(const std::map<std::string, T>& table, const std::string& key) {
  const auto entry = table.find(key);
  if (entry == table.end()) {
    throw rankmix::InvalidArgument("unknown metric parameter " + key);
  }
  return entry->second;
}

metric::Ties ties_of(const std::string& name) {
  static const std::map<std::string, metric::Ties> table = {
      {"order", metric::Ties::kOrder},       {"average", metric::Ties::kAverage},
      {"together", metric::Ties::kTogether}, {"best", metric::Ties::kBest},
      {"worst", metric::Ties::kWorst},       {"document", metric::Ties::kDocument}};
  return lookup(table, name);
}

metric::ShortList short_list_of(const std::string& name) {
  static const std::map<std::string, metric::ShortList> table = {
      {"pad", metric::ShortList::kPad},
      {"shrink", metric::ShortList::kShrink},
      {"zero", metric::ShortList::kZero},
      {"undefined", metric::ShortList::kNoValue},
      {"drop", metric::ShortList::kDrop}};
  return lookup(table, name);
}

std::size_t cutoff(double k) {
  // Larger numbers than a list can be long have no exact conversion either.
  return k < 9007199254740992.0 ? static_cast<std::size_t>(k) : metric::kWholeList;
}

// `spec` is the R value with everything resolved.
metric::MetricOptions options_of(const Rcpp::List& spec) {
  const std::string single = spec["single"];
  metric::MetricOptions options;
  options.k = cutoff(spec["k"]);
  if (spec.containsElementNamed("empty")) {  // not every metric needs relevant documents
    options.empty = spec["empty"];
  }
  if (spec.containsElementNamed("short")) {  // not every metric has a cut-off
    options.short_list = short_list_of(spec["short"]);
  }
  options.rule = {ties_of(spec["ties"]), single == "scores"};
  return options;
}

template <class T>
MetricPointer dcg_like(const Rcpp::List& spec, std::size_t longest) {
  const metric::MetricOptions options = options_of(spec);
  const std::size_t ranks = std::min(options.k, longest);
  metric::Gains gains(Rcpp::as<std::vector<double>>(spec["gain"]));
  const SEXP discount = spec["discount"];
  if (Rf_isNumeric(discount)) {
    return std::make_unique<T>(
        options, std::move(gains),
        metric::Discounts::table(Rcpp::as<std::vector<double>>(discount), ranks));
  }
  static const std::map<std::string, metric::Discounts (*)(std::size_t)> named = {
      {"log2", metric::Discounts::log2},
      {"log", metric::Discounts::log},
      {"letor", metric::Discounts::letor}};
  return std::make_unique<T>(options, std::move(gains),
                             lookup(named, Rcpp::as<std::string>(discount))(ranks));
}

template <class T>
MetricPointer binary(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<T>(options_of(spec), Rcpp::as<int>(spec["relevant"]));
}

MetricPointer err(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::Err>(options_of(spec),
                                       Rcpp::as<int>(spec["max_grade"]));
}

MetricPointer average_precision(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::AveragePrecision>(
      options_of(spec), Rcpp::as<int>(spec["relevant"]),
      Rcpp::as<std::string>(spec["denominator"]) == "cutoff");
}

MetricPointer reciprocal_rank(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::ReciprocalRank>(
      options_of(spec), Rcpp::as<int>(spec["relevant"]),
      Rcpp::as<std::string>(spec["single"]) == "value");
}

MetricPointer rbp(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::RankBiasedPrecision>(
      options_of(spec), Rcpp::as<int>(spec["relevant"]),
      Rcpp::as<double>(spec["persistence"]));
}

MetricPointer f_measure(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::FMeasure>(options_of(spec),
                                            Rcpp::as<int>(spec["relevant"]),
                                            Rcpp::as<double>(spec["beta"]));
}

MetricPointer judged(const Rcpp::List& spec, std::size_t) {
  return std::make_unique<metric::Judged>(options_of(spec));
}

// One line a metric.
MetricPointer make_metric(const Rcpp::List& spec, std::size_t longest) {
  using Maker = MetricPointer (*)(const Rcpp::List&, std::size_t);
  static const std::map<std::string, Maker> makers = {
      {"ndcg", dcg_like<metric::Ndcg>},
      {"mean_ndcg", dcg_like<metric::MeanNdcg>},
      {"dcg", dcg_like<metric::Dcg>},
      {"err", err},
      {"average_precision", average_precision},
      {"precision", binary<metric::Precision>},
      {"recall", binary<metric::Recall>},
      {"reciprocal_rank", reciprocal_rank},
      {"r_precision", binary<metric::RPrecision>},
      {"f_measure", f_measure},
      {"success", binary<metric::Success>},
      {"judged", judged},
      {"bpref", binary<metric::Bpref>},
      {"rbp", rbp}};
  return lookup(makers, Rcpp::as<std::string>(spec["name"]))(spec, longest);
}

// The rankers' arrays of doubles, where R has them: nothing is copied.
metric::Scores score_columns(SEXP scores, R_xlen_t rows) {
  metric::Scores columns;
  auto add = [&](SEXP vector) {
    if (TYPEOF(vector) != REALSXP || rows == 0 || Rf_xlength(vector) % rows != 0) {
      throw rankmix::InvalidArgument("scores are not one double a document");
    }
    for (R_xlen_t begin = 0; begin < Rf_xlength(vector); begin += rows) {
      columns.push_back(REAL(vector) + begin);
    }
  };
  if (TYPEOF(scores) == VECSXP) {
    for (R_xlen_t j = 0; j < Rf_xlength(scores); ++j) {
      add(VECTOR_ELT(scores, j));
    }
  } else {
    add(scores);
  }
  return columns;
}

std::size_t longest_query(const rankmix::data::Queries& queries) {
  std::size_t longest = 0;
  for (std::size_t q = 0; q < queries.count(); ++q) {
    longest = std::max(longest, queries.rows_of(q).size());
  }
  return longest;
}

}  // namespace

// Values of several metrics: queries x (rankers, metric after metric). NaN where a query
// does not count, NA where it counts without a value. `scores` is a vector, a matrix with
// a column a ranker, or a list of vectors; `positions` is empty unless ties are broken by
// document.
// [[Rcpp::export]]
Rcpp::NumericMatrix metric_values(const Rcpp::List& specs, SEXP scores,
                                  const Rcpp::IntegerVector& grades,
                                  const Rcpp::IntegerVector& positions,
                                  const Rcpp::IntegerVector& order,
                                  const Rcpp::IntegerVector& offsets, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const std::size_t longest = longest_query(queries);
    std::vector<MetricPointer> metrics;
    for (const SEXP spec : specs) {
      metrics.push_back(make_metric(Rcpp::List(spec), longest));
    }
    const metric::Scores columns = score_columns(scores, grades.size());
    Rcpp::NumericMatrix out(static_cast<int>(queries.count()),
                            static_cast<int>(metrics.size() * columns.size()));
    const metric::Documents documents{rankmix::int_view(grades),
                                      rankmix::int_view(positions)};
    metric::evaluate(metrics, columns, documents, queries, host,
                     rankmix::writable_view(out));
    for (double& value : out) {
      if (value == metric::kUndefined) {
        value = NA_REAL;
      }
    }
    return out;
  });
}

// The rows (from 1) of each query, best first, query after query; 0 fills a query up
// where documents have no score.
// [[Rcpp::export]]
Rcpp::IntegerVector ranked_rows(const Rcpp::NumericVector& scores,
                                const Rcpp::IntegerVector& grades,
                                const Rcpp::IntegerVector& positions,
                                const Rcpp::IntegerVector& order,
                                const Rcpp::IntegerVector& offsets,
                                const std::string& ties, const std::string& single) {
  return rankmix::guarded([&] {
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const metric::Documents documents{rankmix::int_view(grades),
                                      rankmix::int_view(positions)};
    const metric::RankRule rule{ties_of(ties), single == "scores"};
    Rcpp::IntegerVector out(order.size());
    metric::Ranker ranker;
    for (std::size_t q = 0; q < queries.count(); ++q) {
      ranker.rank(queries.rows_of(q), scores.begin(), documents, rule,
                  metric::kWholeList);
      R_xlen_t at = offsets[static_cast<R_xlen_t>(q)];
      for (int row : ranker.rows()) {
        out[at++] = row + 1;
      }
    }
    return out;
  });
}

// A row (from 1) whose score another document of its query has too, or 0.
// [[Rcpp::export]]
int first_tie(const Rcpp::NumericVector& scores, const Rcpp::IntegerVector& grades,
              const Rcpp::IntegerVector& order, const Rcpp::IntegerVector& offsets,
              const std::string& single) {
  return rankmix::guarded([&] {
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    const metric::RankRule rule{metric::Ties::kAverage, single == "scores"};
    metric::Ranker ranker;
    for (std::size_t q = 0; q < queries.count(); ++q) {
      ranker.rank(queries.rows_of(q), scores.begin(), {rankmix::int_view(grades), {}},
                  rule, metric::kWholeList);
      std::size_t begin = 0;
      for (std::size_t end : ranker.group_ends()) {
        if (end - begin > 1) {
          return ranker.rows()[begin] + 1;
        }
        begin = end;
      }
    }
    return 0;
  });
}

// The mean over queries of each column: values that are NaN do not count, NA counts as 0.
// NaN where no query counts, NA where none that counts has a value. Summed from the first
// query to the last, as tools do. `weights` has one number a query, or is empty where all
// count the same.
// [[Rcpp::export]]
Rcpp::NumericVector query_means(const Rcpp::NumericMatrix& values,
                                const Rcpp::NumericVector& weights) {
  Rcpp::NumericVector means(values.ncol());
  for (int j = 0; j < values.ncol(); ++j) {
    const double* column = &values[static_cast<R_xlen_t>(j) * values.nrow()];
    double sum = 0.0;
    double counted = 0.0;
    double defined = 0.0;
    for (int q = 0; q < values.nrow(); ++q) {
      if (R_IsNaN(column[q]) != 0) {
        continue;
      }
      const double weight = weights.size() == 0 ? 1.0 : weights[q];
      counted += weight;
      if (R_IsNA(column[q]) == 0) {
        defined += weight;
        sum += weight * column[q];
      }
    }
    means[j] = counted > 0.0 && defined == 0.0 ? NA_REAL : sum / counted;
  }
  return means;
}
