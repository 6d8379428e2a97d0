// Bins of features. R holds them as an external pointer during training and never saves
// them.
#pragma once
#include <Rcpp.h>

#include "core/data/bins.h"

using BinsPointer = Rcpp::XPtr<rankmix::data::BinnedMatrix>;
