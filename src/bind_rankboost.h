// A fit of rankboost() while R adds rounds. R holds it as an external pointer and never
// saves it.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "bind_data.h"
#include "bind_forest.h"
#include "core/boost/rankboost.h"
#include "core/data/columns.h"
#include "views_r.h"

namespace rankmix {

// Owns the data that the fit points to: the bins, or if these are NULL, the features.
// `cluster` is the communicator of the ranks that train together, or NULL.
struct RankBoostFit {
  RankBoostFit(const Rcpp::RObject& binned, const Rcpp::RObject& matrix,
               const Rcpp::List& documents, bool halves,
               const boost::RankBoostOptions& options, const Rcpp::RObject& ranks,
               Host& host);

  Rcpp::RObject cluster;
  Rcpp::RObject bins;
  Rcpp::RObject x;
  std::unique_ptr<data::Columns> columns;
  boost::RankBoost booster;
};

}  // namespace rankmix

using RankBoostPointer = Rcpp::XPtr<rankmix::RankBoostFit>;
