// The keys of documents from which the samples of bagging() are drawn. R holds them as an
// external pointer during training and never saves them.
#pragma once
#include <Rcpp.h>

#include <cstdint>
#include <vector>

namespace rankmix {

struct BagKeys {
  std::vector<std::uint64_t> keys;
};

}  // namespace rankmix

using BagPointer = Rcpp::XPtr<rankmix::BagKeys>;
