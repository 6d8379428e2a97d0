// A fit of gbrt() as R holds it while trees are added: an external pointer, never saved.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "bind_data.h"
#include "bind_forest.h"
#include "bind_objective.h"
#include "core/boost/gbrt.h"
#include "views_r.h"

namespace rankmix {

// Keeps what the fit points to.
struct GbrtFit {
  GbrtFit(const BinsPointer& binned, const Rcpp::NumericVector& targets,
          const Rcpp::NumericVector& weights, const boost::GbrtOptions& options,
          Host& host)
      : bins(binned),
        gbrt(*bins, double_view(targets), double_view(weights), options, host) {}
  GbrtFit(const BinsPointer& binned, const Rcpp::List& objective, const Rcpp::List& known,
          const boost::GbrtOptions& options, Host& host)
      : bins(binned),
        documents(std::make_unique<DocumentsOfR>(known)),
        gbrt(*bins, make_objective(objective), documents->view(), options, host) {}

  BinsPointer bins;
  std::unique_ptr<DocumentsOfR> documents;  // null where it is least squares
  boost::Gbrt gbrt;
};

}  // namespace rankmix

using GbrtPointer = Rcpp::XPtr<rankmix::GbrtFit>;
