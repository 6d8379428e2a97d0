// Bins of features. R holds them as an external pointer during training and never saves
// them.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/data/bins.h"

using BinsPointer = Rcpp::XPtr<rankmix::data::BinnedMatrix>;

namespace rankmix {

// The bins of a fit: shared with other fits, or owned. Taking ownership clears the
// external pointer, so that no other fit can use these bins.
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

// Whether a specification lets its fit own the bins.
inline bool takes_bins(const Rcpp::List& spec) {
  return spec.containsElementNamed("own_bins") && Rcpp::as<bool>(spec["own_bins"]);
}

}  // namespace rankmix
