// Sums of histograms over the ranks that grow a tree together. Ranks send the channels of
// each slot, but no lanes beyond them, and no features whose slots are not used.
#pragma once
#include <cstddef>

#include "core/base/reducer.h"
#include "core/tree/histogram.h"

namespace rankmix::tree {

// Replaces the slots of the active features, and `total` unless it is null, by their sums
// over the ranks. All ranks must have the same active features.
void add_over_ranks(const HistogramLayout& layout, ActiveFeatures active,
                    Histogram& histogram, Totals* total, Reducer& reducer);

// Like add_over_ranks(), for the slots of one feature.
void add_feature_over_ranks(const HistogramLayout& layout, std::size_t feature,
                            Histogram& histogram, Reducer& reducer);

}  // namespace rankmix::tree
