// Thresholds of columns whose rows are on several ranks.
//
// Given:     a table on each rank, with the same columns.
// Result:    on all ranks, the thresholds of one table with the rows of all ranks, bit
//            for bit.
// Algorithm: for columns with few distinct values, ranks gather these values. For other
//            columns, BucketRanks counts values by intervals. Each rank makes a tally
//            of its own rows. Reductions merge the tallies of a group of columns at a
//            time. All decisions use only merged tallies, so all ranks make the same
//            passes.
// Cost:      usually four to six passes over the table, each with three reductions for each
//            group of columns. A pass sends at most 400 kB for a column.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/data/column_store.h"
#include "core/data/shared_tallies.h"

namespace rankmix::data {

// Empty `counts` of rows mean that each row counts once.
std::vector<std::vector<double>> shared_thresholds(
    const ColumnStore& store, const std::vector<std::size_t>& columns,
    const std::vector<std::uint64_t>& counts, int max_bins, Host& host,
    const SharedSizes& sizes = {});

}  // namespace rankmix::data
