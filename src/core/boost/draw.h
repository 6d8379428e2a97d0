// What a round of boosting may search: fractions of the features and of the documents, or
// of whole queries, drawn anew for each round; and in which precision.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/bins.h"
#include "core/tree/sample.h"

namespace rankmix::boost {

// Of the numbers that a booster keeps, or searches.
enum class Precision { kSingle, kDouble };

struct DrawOptions {
  double feature_fraction = 1.0;
  double bagging_fraction = 1.0;
  double query_fraction = 1.0;
  // Of the query of each row, whatever the order of queries; for a fraction of them
  // alone.
  std::vector<std::uint64_t> query_keys;
  std::uint64_t seed = 0;
  // What draws go by instead of the number of a row; empty: that.
  std::vector<std::uint64_t> row_keys;
  void validate() const;
};

tree::Sample everything(const data::BinnedMatrix& bins);
tree::Sample draw(const data::BinnedMatrix& bins, const DrawOptions& options,
                  std::size_t round);
// Whether a sample leaves something out.
bool is_partial(const tree::Sample& sample);

}  // namespace rankmix::boost
