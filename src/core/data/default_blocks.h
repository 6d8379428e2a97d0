// Blocks of features that have their most frequent bins in the same rows.
//
// Search engines compute the same features for each field of a document. If no term of
// the query is in a field, all features of this field are 0. So the features of a field
// form a block. Rows in which all features of a block have their default bins need not be
// summed for this block. Their sums are the total minus the sums of all other rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

struct DefaultBlock {
  std::vector<std::uint32_t> features;     // in increasing order
  std::vector<std::uint8_t> default_bins;  // of each feature, the most frequent bin
  double fraction;  // fraction of the rows in which all features have their default bins
};

// More blocks would cut the rows into too many ranges.
constexpr std::size_t kMaxBlocks = 6;

// Finds blocks in a sample of rows. bins[f * rows + i] is the bin of feature f in row i.
// A feature is in one block at most. The search is greedy: the next block is the one that
// saves most updates of histograms. It starts from a feature. All features are added
// whose default rows contain the default rows of this feature, except for very few.
// Blocks that save less than two updates a row are left out. Blocks are sorted by
// increasing fraction.
std::vector<DefaultBlock> find_default_blocks(View<const std::uint8_t> bins,
                                              std::size_t rows, std::size_t features);

}  // namespace rankmix::data
