// The features and documents, or whole queries, that a round of boosting may search. Each
// round draws other features and documents.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/sample.h"

namespace rankmix::boost {

// The precision in which a booster stores numbers or searches splits.
enum class Precision { kSingle, kDouble };

struct DrawOptions {
  double feature_fraction = 1.0;
  double bagging_fraction = 1.0;
  double query_fraction = 1.0;
  // Random key of the query of each row, which must not depend on the order of queries.
  // Only used if query_fraction < 1.
  std::vector<std::uint64_t> query_keys;
  std::uint64_t seed = 0;
  // Keys for drawing rows. If empty, the number of a row is its key. With several ranks,
  // rows need keys.
  std::vector<std::uint64_t> row_keys;
  void validate() const;
};

tree::Sample everything(const data::BinnedMatrix& bins);
tree::Sample draw(const data::BinnedMatrix& bins, const DrawOptions& options,
                  std::size_t round, Host& host);
// Whether a sample excludes any feature or document.
bool is_partial(const tree::Sample& sample);

}  // namespace rankmix::boost
