// A path of linear fits. R holds it as an external pointer and never saves it.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/linear/mcsvm.h"
#include "core/linear/scaling.h"
#include "views_r.h"

namespace rankmix {

// Owns the data that the fit points to.
struct McsvmFit {
  McsvmFit(const Rcpp::RObject& matrix, const Rcpp::IntegerVector& grades,
           const Rcpp::NumericVector& weights, std::size_t classes,
           linear::ScalingRule rule, bool bias, Host& host);

  Rcpp::RObject x;
  Rcpp::NumericVector weights_of_rows;
  std::size_t classes;
  linear::Scaling scaling;
  std::unique_ptr<linear::Features> features;
  std::unique_ptr<linear::Mcsvm> machine;
};

}  // namespace rankmix

using McsvmPointer = Rcpp::XPtr<rankmix::McsvmFit>;
