// Bins of a table that is larger than the memory (core/data/column_store.h). Thresholds
// and bins are the same as for the table in memory, bit for bit.
//
// The memory holds a few buffers for each thread, and the bins unless they go to a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/bins.h"
#include "core/data/column_store.h"

namespace rankmix::data {

// Columns of at most this many rows are sorted, which takes less time than counting.
constexpr std::size_t kSortedRows = std::size_t{1} << 24;

// The bins of these columns, for the rows of all ranks. If `weights` of rows are empty,
// all rows have equal weights.
std::vector<FeatureBins> find_stored_bins(const ColumnStore& store,
                                          const std::vector<std::size_t>& columns,
                                          View<const double> weights, int max_bins,
                                          Host& host,
                                          std::size_t sorted_rows = kSortedRows);

// Marks the features that have missing values on any rank.
void mark_missing(const ColumnStore& store, const std::vector<std::size_t>& columns,
                  Reducer& reducer, std::vector<FeatureBins>& features);

// Whether each of these columns has a single value on all ranks, apart from missing values.
std::vector<bool> constant_columns(const ColumnStore& store,
                                   const std::vector<std::size_t>& columns,
                                   Reducer& reducer);

// Receives the bins of some rows of a tile. `at` is their position in the bins of all
// tiles, as BinnedMatrix holds them. Called by several threads at a time.
class BinSink {
 public:
  virtual ~BinSink() = default;
  virtual void put(std::uint64_t at, View<const std::uint8_t> bins) = 0;
};

// Bins these columns of all rows with the given thresholds. `marks` has a number for each
// row, to which the hash of its features is added (core/data/row_content.h).
void bin_stored(const ColumnStore& store, const std::vector<std::size_t>& columns,
                const std::vector<FeatureBins>& features, View<std::uint64_t> marks,
                BinSink& sink, Host& host);

}  // namespace rankmix::data
