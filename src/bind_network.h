// The training of a network as R holds it: an external pointer, never saved.
#pragma once
#include <Rcpp.h>

#include "core/network/training.h"

using NetworkPointer = Rcpp::XPtr<rankmix::network::Training>;
