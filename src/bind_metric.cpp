// Glue: metrics.
#include "bind_metric.h"

#include <Rcpp.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/metric/factory.h"
#include "core/metric/metric.h"
#include "core/metric/ranking.h"
#include "glue_size.h"
#include "host_parallel.h"
#include "memory_r.h"
#include "views_r.h"

namespace {

namespace metric = rankmix::metric;

std::size_t cutoff(double k) {
  // Larger numbers exceed any list, and their conversion might not be exact.
  return k < 9007199254740992.0 ? static_cast<std::size_t>(k) : metric::kWholeList;
}

// Sets `parameter` if the list has this element; a metric need not have all parameters.
template <class T>
void take(const Rcpp::List& list, const char* name, T& parameter) {
  if (list.containsElementNamed(name)) {
    parameter = Rcpp::as<T>(list[name]);
  }
}

// `list` is a metric of R with all defaults filled in.
metric::MetricSpec spec_of(const Rcpp::List& list) {
  metric::MetricSpec spec;
  spec.name = Rcpp::as<std::string>(list["name"]);
  spec.options.k = cutoff(list["k"]);
  take(list, "empty", spec.options.empty);
  if (list.containsElementNamed("short_lists")) {
    spec.options.short_list = metric::short_list_named(list["short_lists"]);
  }
  const std::string single = list["single_precision"];
  spec.options.rule = {metric::ties_named(list["ties"]), single == "scores"};
  spec.single_value = single == "value";
  take(list, "gain", spec.gain);
  if (list.containsElementNamed("discount")) {
    const SEXP discount = list["discount"];
    if (Rf_isNumeric(discount)) {
      spec.discounts = Rcpp::as<std::vector<double>>(discount);
    } else {
      spec.discount = Rcpp::as<std::string>(discount);
    }
  }
  take(list, "relevant", spec.relevant);
  take(list, "max_grade", spec.max_grade);
  take(list, "beta", spec.beta);
  take(list, "persistence", spec.persistence);
  take(list, "denominator", spec.denominator);
  return spec;
}

// The scores of each ranker as pointers to R's arrays, without copies.
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

namespace rankmix {

std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec,
                                          const data::Queries& queries) {
  return metric_of(spec, longest_query(queries));
}

std::unique_ptr<metric::Metric> metric_of(const Rcpp::List& spec, std::size_t longest) {
  return metric::make_metric(spec_of(spec), longest);
}

}  // namespace rankmix

// Values of several metrics. The result has one row for each query; its columns are the
// rankers for the first metric, then for the second, and so on. NaN: the query does not
// count. NA: the query counts, but has no value. `scores` is a vector, a matrix with one
// column for each ranker, or a list of vectors. `positions` is empty unless ties are
// ordered by document.
// [[Rcpp::export(rng = false)]]
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
    std::vector<std::unique_ptr<metric::Metric>> metrics;
    for (const SEXP spec : specs) {
      metrics.push_back(metric::make_metric(spec_of(Rcpp::List(spec)), longest));
    }
    const metric::Scores columns = score_columns(scores, grades.size());
    auto out = rankmix::new_zero_matrix<Rcpp::NumericMatrix>(
        queries.count(), metrics.size() * columns.size());
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

// The rows of each query, from 1, best first, query by query. Documents without a score
// are omitted; zeros fill the end of the query.
// [[Rcpp::export(rng = false)]]
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
    const metric::RankRule rule{metric::ties_named(ties), single == "scores"};
    auto out =
        rankmix::new_zeros<Rcpp::IntegerVector>(static_cast<std::size_t>(order.size()));
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

// The number of a row (from 1) whose score ties with another document of the query, or 0
// if no scores tie.
// [[Rcpp::export(rng = false)]]
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

// The mean over queries of each column. NaN values are omitted, and NA values count as
// 0. The result is NaN if no query counts, and NA if no query that counts has a value.
// Sums run from the first to the last query, as in other tools. `weights` has one number
// for each query; empty: all are equal.
// [[Rcpp::export(rng = false)]]
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

// Like query_means(), for choosing settings. Sums are exact, so that the result depends
// neither on the order of the queries nor on their assignment to ranks. `cluster` is the
// communicator of the ranks, or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector query_means_exactly(const Rcpp::NumericMatrix& values,
                                        const Rcpp::NumericVector& weights,
                                        const Rcpp::RObject& cluster) {
  return rankmix::guarded([&] {
    rankmix::RHost host(1, R_NilValue, cluster);
    const auto queries = static_cast<std::size_t>(values.nrow());
    const auto given = rankmix::double_view(weights);
    auto means =
        rankmix::new_vector<Rcpp::NumericVector>(static_cast<std::size_t>(values.ncol()));
    for (int j = 0; j < values.ncol(); ++j) {
      const double* column = values.begin() + static_cast<R_xlen_t>(j) * values.nrow();
      auto weight = [&](std::size_t q) { return given.empty() ? 1.0 : given[q]; };
      const double counted = rankmix::sum_finely(host, queries, [&](std::size_t q) {
        return R_IsNaN(column[q]) != 0 ? 0.0 : weight(q);
      });
      const double defined = rankmix::sum_finely(host, queries, [&](std::size_t q) {
        return ISNAN(column[q]) != 0 ? 0.0 : weight(q);
      });
      const double sum = rankmix::sum_finely(host, queries, [&](std::size_t q) {
        return ISNAN(column[q]) != 0 ? 0.0 : weight(q) * column[q];
      });
      means[j] = counted > 0.0 && defined == 0.0 ? NA_REAL : sum / counted;
    }
    return means;
  });
}
