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

// The bins that a fit points to: those of others as well, or its own, which no other fit
// can use any more by the pointer that it takes them from.
class BinsOfFit {
 public:
  BinsOfFit(const BinsPointer& binned, bool takes)
      : shared_(binned), own_(takes ? binned.get() : nullptr) {
    if (takes) {
      R_ClearExternalPtr(binned);
    }
  }
  const data::BinnedMatrix& operator*() const { return own_ ? *own_ : *shared_; }
  data::BinnedMatrix* own() const { return own_.get(); }

 private:
  BinsPointer shared_;
  std::unique_ptr<data::BinnedMatrix> own_;
};

// Keeps what the fit points to.
struct GbrtFit {
  GbrtFit(const BinsPointer& binned, bool takes_bins, const Rcpp::NumericVector& targets,
          const Rcpp::NumericVector& weights, const boost::GbrtOptions& options,
          Host& host)
      : bins(binned, takes_bins),
        gbrt(*bins, double_view(targets), double_view(weights), options, host) {
    own_bins();
  }
  GbrtFit(const BinsPointer& binned, bool takes_bins, const Rcpp::List& objective,
          const Rcpp::List& known, const boost::GbrtOptions& options, Host& host)
      : bins(binned, takes_bins),
        documents(std::make_unique<DocumentsOfR>(known)),
        gbrt(*bins, make_objective(objective), documents->view(), options, host) {
    own_bins();
  }
  void own_bins() {
    if (bins.own() != nullptr) {
      gbrt.own(*bins.own());
    }
  }

  BinsOfFit bins;
  std::unique_ptr<DocumentsOfR> documents;  // null where it is least squares
  boost::Gbrt gbrt;
};

}  // namespace rankmix

using GbrtPointer = Rcpp::XPtr<rankmix::GbrtFit>;
