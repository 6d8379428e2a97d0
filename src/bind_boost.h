// A fit of AdaBoost.MH while R adds rounds. R holds it as an external pointer and never
// saves it.
#pragma once
#include <Rcpp.h>

#include <memory>
#include <utility>

#include "bind_data.h"
#include "bind_forest.h"
#include "core/boost/adaboost_mh.h"
#include "views_r.h"

namespace rankmix {

// Owns the data that the fit points to. `cluster` is the communicator of the ranks that
// train together, or NULL.
struct Booster {
  Booster(const BinsPointer& binned, bool takes_bins,
          std::unique_ptr<boost::BaseLearner> base, const Rcpp::IntegerVector& grades,
          const Rcpp::NumericVector& document_weights, int classes,
          const boost::AdaBoostOptions& options, const Rcpp::RObject& ranks, Host& host)
      : cluster(ranks),
        bins(binned, takes_bins),
        learner(std::move(base)),
        booster(*bins, int_view(grades), double_view(document_weights),
                static_cast<std::size_t>(classes), options, *learner, host) {
    if (bins.own() != nullptr) {
      booster.own(*bins.own(), host);
    }
  }

  Rcpp::RObject cluster;
  BinsOfFit bins;
  std::unique_ptr<boost::BaseLearner> learner;
  boost::AdaBoost booster;
};

}  // namespace rankmix

using BoosterPointer = Rcpp::XPtr<rankmix::Booster>;
