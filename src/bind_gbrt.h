// A fit of gbrt() while R adds trees. R holds it as an external pointer and never saves
// it.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "bind_data.h"
#include "bind_forest.h"
#include "bind_objective.h"
#include "core/boost/gbrt.h"
#include "views_r.h"

namespace rankmix {

// Owns the data that the fit points to. `cluster` is the communicator of the ranks that
// train together, or NULL.
struct GbrtFit {
  GbrtFit(const BinsPointer& binned, bool takes_bins, const Rcpp::NumericVector& targets,
          const Rcpp::NumericVector& weights, const boost::GbrtOptions& options,
          const Rcpp::RObject& ranks, Host& host)
      : cluster(ranks),
        bins(binned, takes_bins),
        gbrt(*bins, double_view(targets), double_view(weights), options, host) {
    own_bins();
  }
  GbrtFit(const BinsPointer& binned, bool takes_bins, const Rcpp::List& objective,
          const Rcpp::List& known, const boost::GbrtOptions& options,
          const Rcpp::RObject& ranks, Host& host)
      : cluster(ranks),
        bins(binned, takes_bins),
        documents(std::make_unique<DocumentsOfR>(known)),
        gbrt(*bins, make_objective(objective), documents->view(), options, host) {
    own_bins();
  }
  void own_bins() {
    if (bins.own() != nullptr) {
      gbrt.own(*bins.own());
    }
  }

  Rcpp::RObject cluster;
  BinsOfFit bins;
  std::unique_ptr<DocumentsOfR> documents;  // null for least squares
  boost::Gbrt gbrt;
};

}  // namespace rankmix

using GbrtPointer = Rcpp::XPtr<rankmix::GbrtFit>;
