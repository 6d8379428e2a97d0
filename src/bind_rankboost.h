// A fit of rankboost() as R holds it while rounds are added: an external pointer, never
// saved.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "bind_data.h"
#include "bind_forest.h"
#include "core/boost/rankboost.h"
#include "core/data/columns.h"
#include "views_r.h"

namespace rankmix {

// Keeps what the fit points to: bins, or where these are NULL the features as they are.
struct RankBoostFit {
  RankBoostFit(const Rcpp::RObject& binned, const Rcpp::RObject& matrix,
               const Rcpp::List& documents, bool halves,
               const boost::RankBoostOptions& options, Host& host);

  Rcpp::RObject bins;
  Rcpp::RObject x;
  std::unique_ptr<data::Columns> columns;
  boost::RankBoost booster;
};

}  // namespace rankmix

using RankBoostPointer = Rcpp::XPtr<rankmix::RankBoostFit>;
