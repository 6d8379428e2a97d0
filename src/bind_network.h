// The training of a network. R holds it as an external pointer and never saves it.
#pragma once
#include <Rcpp.h>

#include "core/network/training.h"

using NetworkPointer = Rcpp::XPtr<rankmix::network::Training>;
