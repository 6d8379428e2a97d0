// Blocks of features that have their most frequent bins in the same rows.
//
// Search engines compute the same features for each field of a document. If no term of
// the query is in a field, all features of this field are 0. So the features of a field
// make a block. In rows in which all features of a block have their default bins, a
// histogram need not sum the block: these rows are the total minus all other rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

struct DefaultBlock {
  std::vector<std::uint32_t> features;     // in increasing order
  std::vector<std::uint8_t> default_bins;  // of each feature, the most frequent bin
  double fraction;  // of the rows, in which all features have their default bins
};

// More blocks would cut the rows into too many ranges.
constexpr std::size_t kMaxBlocks = 6;

// Finds blocks in a sample of rows, of which bins[f * rows + i] is the bin of feature f.
// A feature is in one block at most. Greedy: the next block saves most updates of
// histograms. It starts from a feature, and takes all features whose default rows contain
// those of this feature, but for very few. Blocks that save less than two updates a row
// are left out. The result is in order of increasing fractions.
std::vector<DefaultBlock> find_default_blocks(View<const std::uint8_t> bins,
                                              std::size_t rows, std::size_t features);

}  // namespace rankmix::data
