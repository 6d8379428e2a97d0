// A fit of gbrt() as R holds it while trees are added: an external pointer, never saved.
#pragma once
#include <Rcpp.h>

#include "bind_data.h"
#include "bind_forest.h"
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

  BinsPointer bins;
  boost::Gbrt gbrt;
};

}  // namespace rankmix

using GbrtPointer = Rcpp::XPtr<rankmix::GbrtFit>;
