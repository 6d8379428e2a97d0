// What a round of boosting may search: shares of the features and of the documents, drawn
// anew for each round.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/data/bins.h"
#include "core/tree/grow.h"

namespace rankmix::boost {

struct DrawOptions {
  double feature_share = 1.0;
  double document_share = 1.0;
  std::uint64_t seed = 0;
  void validate() const;
};

tree::Sample everything(const data::BinnedMatrix& bins);
tree::Sample draw(const data::BinnedMatrix& bins, const DrawOptions& options,
                  std::size_t round);
// Whether a sample leaves something out.
bool is_partial(const tree::Sample& sample);

}  // namespace rankmix::boost
