// Samples of documents as R holds them while a bag is trained: an external pointer, never
// saved.
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
