// Bins as R holds them while models are trained: an external pointer, never saved.
#pragma once
#include <Rcpp.h>

#include "core/data/bins.h"

using BinsPointer = Rcpp::XPtr<rankmix::data::BinnedMatrix>;
