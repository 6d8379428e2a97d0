// A fit of adarank() while R adds rounds. R holds it as an external pointer and never
// saves it.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "bind_metric.h"
#include "core/boost/adarank.h"
#include "core/data/columns.h"
#include "views_r.h"

namespace rankmix {

// Owns the data that the fit points to. `held` is the result of R's new_evaluator().
struct AdaRankFit {
  AdaRankFit(const Rcpp::RObject& matrix, const Rcpp::List& held,
             const Rcpp::NumericVector& query_weights,
             const boost::AdaRankOptions& options, Host& host);

  Rcpp::RObject x;
  std::unique_ptr<data::Columns> columns;
  Rcpp::IntegerVector grades;
  Rcpp::IntegerVector positions;
  Rcpp::IntegerVector order;
  Rcpp::IntegerVector offsets;
  Rcpp::NumericVector weights;
  std::unique_ptr<metric::Metric> metric;
  metric::Judged judged;
  boost::AdaRank booster;
};

}  // namespace rankmix

using AdaRankPointer = Rcpp::XPtr<rankmix::AdaRankFit>;
