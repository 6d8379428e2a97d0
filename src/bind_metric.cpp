// Glue: metrics.
#include <Rcpp.h>

#include <memory>
#include <string>

#include "core/base/errors.h"
#include "core/metric/err.h"
#include "core/metric/metric.h"
#include "core/metric/ndcg.h"
#include "host_parallel.h"
#include "views_r.h"

namespace {

namespace metric = rankmix::metric;

std::size_t cutoff(const Rcpp::List& spec) {
  const double k = spec["k"];
  // Larger numbers than a list can be long have no exact conversion either.
  return k < 9007199254740992.0 ? static_cast<std::size_t>(k) : metric::kWholeList;
}

// One line a metric; `spec` is the R value with everything resolved.
std::unique_ptr<metric::Metric> make_metric(const Rcpp::List& spec) {
  const std::string name = spec["name"];
  if (name == "ndcg") {
    return std::unique_ptr<metric::Metric>(
        new metric::Ndcg(cutoff(spec), Rcpp::as<double>(spec["empty"])));
  }
  if (name == "err") {
    return std::unique_ptr<metric::Metric>(
        new metric::Err(cutoff(spec), Rcpp::as<int>(spec["max_grade"])));
  }
  throw rankmix::InvalidArgument("unknown metric " + name);
}

}  // namespace

// Values of one metric: queries x columns of `scores`.
// [[Rcpp::export]]
Rcpp::NumericMatrix metric_values(const Rcpp::List& spec,
                                  const Rcpp::NumericMatrix& scores,
                                  const Rcpp::IntegerVector& grades,
                                  const Rcpp::IntegerVector& order,
                                  const Rcpp::IntegerVector& offsets, int threads) {
  return rankmix::guarded([&] {
    rankmix::RHost host(threads, R_NilValue);
    const auto value = make_metric(spec);
    const rankmix::data::Queries queries{rankmix::int_view(order),
                                         rankmix::int_view(offsets)};
    Rcpp::NumericMatrix out(static_cast<int>(queries.count()), scores.ncol());
    metric::evaluate(*value, rankmix::matrix_view(scores), rankmix::int_view(grades),
                     queries, host, rankmix::writable_view(out));
    return out;
  });
}
